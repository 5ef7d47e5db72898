/** What a connection of the fast path keeps of the requests before: a short head, which most clients send again. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { ArrivalWatch } from '../../src/http/server/arrival-watch.ts'
import { PlainConnection } from '../../src/http/server/plain-connection.ts'
import { type PlainHead, PlainHeads, type PlainPath, writePlainHead } from '../../src/http/server/plain-head.ts'
import { ReadTurns } from '../../src/http/server/read-turns.ts'

class CountingHeads extends PlainHeads {
  reads = 0

  override read(text: string): PlainHead | null {
    this.reads += 1
    return super.read(text)
  }
}

const path: PlainPath = {
  body: null,
  answer: ({ target }) => ({ head: writePlainHead(200, []), text: `${target}\n`, release: null }),
}

/** How many heads are read if a client sends this one three times, each time after the answer before. */
async function readsOf(head: string): Promise<number> {
  const heads = new CountingHeads()
  heads.serve(new Map([['/l/', path]]))
  const server = createServer((socket) => {
    new PlainConnection(socket, 1, {
      heads,
      turns: new ReadTurns(),
      arrivals: new ArrivalWatch(systemClock),
      isStopping: () => false,
      answerFields: () => 'Content-Length: ',
      leave: () => socket.destroy(),
    }).open()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  for (let sent = 0; sent < 3; sent += 1) {
    client.write(head)
    expect(String(await once(client, 'data'))).toBe('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n/l/a\n')
  }
  client.destroy()
  server.close()
  return heads.reads
}

test('a head that comes again is not read again', async () => {
  expect(await readsOf('GET /l/a HTTP/1.1\r\nHost: p\r\n\r\n')).toBe(1)
})

test.each([
  ['with a header of one request alone', 'traceparent: 00-1'],
  ['that is long, which would take memory on each connection,', `X: ${'y'.repeat(500)}`],
])('a head %s is read again', async (_, header) => {
  expect(await readsOf(`GET /l/a HTTP/1.1\r\nHost: p\r\n${header}\r\n\r\n`)).toBe(3)
})
