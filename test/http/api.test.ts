import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ASYNC_PATH, type ClientBench, KEY, SYNC_PATH, startClientBench } from '../support/client-bench.ts'
import { eventually } from '../support/eventually.ts'
import { call, rcs } from '../support/operations.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench({ limits: { bodyBytes: 10_000, allBodiesBytes: 60_000 } })
})
afterEach(() => bench.stop())

/** Writes these bytes on a connection of its own; what comes back is in `got`. */
function dial(...texts: string[]) {
  const { hostname, port } = new URL(bench.address)
  const socket = connect(Number(port), hostname)
  const line = { socket, got: '', closed: false }
  socket.setEncoding('utf8').on('data', (text: string) => {
    line.got += text
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    line.closed = true
  })
  for (const text of texts) socket.write(text)
  return line
}

const post = (body: string, headers = '') =>
  `POST ${SYNC_PATH} HTTP/1.1\r\nHost: posthorn\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const hello = JSON.stringify({ auth: KEY, data: [rcs()] })
const countAnswers = (text: string) => text.split('HTTP/1.1 200').length - 1

test('requests sent in one breath on one connection are answered in order', async () => {
  const line = dial(...[1, 2, 3].map((id) => post(JSON.stringify({ auth: KEY, data: [rcs({ id })] }))))
  await eventually('three answers', () => countAnswers(line.got) === 3 && line.got.endsWith('}'))
  expect([...line.got.matchAll(/"id":(\d)/g)].map((match) => match[1])).toEqual(['1', '2', '3'])
  line.socket.destroy()
})

test('the connection serves on after a refusal', async () => {
  const line = dial(post('{'), post(hello))
  await eventually('two answers', () => countAnswers(line.got) === 2)
  expect(line.got).toContain('not valid JSON')
  expect(line.got).toContain('"msg_id"')
  line.socket.destroy()
})

test('a body that is declared too large is refused before it is sent', async () => {
  const line = dial(
    `POST ${SYNC_PATH} HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\nContent-Length: 10001\r\n\r\n`,
  )
  await eventually('the refusal', () => line.got.includes('The body is too large, at most 10000 bytes'))
  line.socket.destroy()
})

test.each([
  ['br', SYNC_PATH],
  ['gzip', ASYNC_PATH],
  ['zstd, gzip', SYNC_PATH],
])('a body with Content-Encoding %s is refused as compressed, before it is read', async (encoding, path) => {
  const line = dial(
    `POST ${path} HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\nContent-Encoding: ${encoding}\r\nContent-Length: 5000\r\n\r\n`,
  )
  await eventually('the refusal', () => line.got.includes('The body is compressed'))
  line.socket.destroy()
})

test('an unknown Expect header is ignored', async () => {
  const line = dial(post(hello, 'Expect: wonders\r\n'))
  await eventually('an answer', () => line.got.includes('"msg_id"'))
  line.socket.destroy()
})

test('an address in place of a path is understood', async () => {
  const line = dial(post(hello).replace(SYNC_PATH, `http://posthorn.example${SYNC_PATH}?x=/y`))
  await eventually('an answer', () => line.got.includes('"msg_id"'))
  line.socket.destroy()
})

test('a client that goes away in the middle of its body leaves nothing behind', async () => {
  const half = `POST ${SYNC_PATH} HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{"auth":`
  for (let round = 0; round < 5; round += 1) dial(half).socket.end()
  for (let round = 0; round < 3; round += 1) {
    const large = rcs({ rcs_message: 'x'.repeat(3_000), unknown: 'y'.repeat(6_000) })
    expect(await bench.post([large])).toMatchObject({ success: true })
  }
})

test('with more bodies in memory than it is meant for, the gateway turns requests away', async () => {
  const { promise, resolve: ring } = Promise.withResolvers<void>()
  const { answerCall: rings } = bench.outbox
  bench.outbox.answerCall = (message) => promise.then(() => rings(message))
  const padded = (fields: object) => JSON.stringify({ auth: KEY, data: [call(fields)], pad: 'x'.repeat(9_000) })
  const waiting = [dial(post(padded({ id: 1 })))]
  await eventually('the first call', () => bench.outbox.waits.length === 1)
  waiting.push(dial(post(padded({ id: 2 }))))
  await eventually('the second call', () => bench.outbox.waits.length === 2)
  expect(await bench.post([rcs()])).toEqual({
    success: false,
    error: 'Service unavailable, try again later',
    code: 'unavailable',
  })
  ring()
  await eventually('both answers', () => waiting.every((line) => line.got.includes('"code"')))
  expect(await bench.post([rcs()])).toMatchObject({ success: true })
  for (const line of waiting) line.socket.destroy()
})

test('stopping lets a running request finish and then closes its connection', async () => {
  const { promise, resolve: ring } = Promise.withResolvers<void>()
  const { answerCall: rings } = bench.outbox
  bench.outbox.answerCall = (message) => promise.then(() => rings(message))
  const line = dial(post(JSON.stringify({ auth: KEY, data: [call()] })))
  const idle = dial()
  await eventually('the call', () => bench.outbox.waits.length === 1)
  let stopped = false
  const stopping = bench.stopServer().then(() => {
    stopped = true
  })
  await eventually('the idle connection to be closed', () => idle.closed)
  expect([stopped, line.closed]).toEqual([false, false])
  ring()
  await stopping
  await eventually('the connection to be closed', () => line.closed)
  expect(line.got).toContain('"code"')
  expect(line.got).toContain('Connection: close')
})

test('an HTTP message that is none is answered and cut off', async () => {
  const line = dial('nonsense\r\n\r\n')
  await eventually('the end', () => line.closed)
  expect(line.got).toMatch(/^HTTP\/1\.1 400 /)
})

test('a client whose bodies stop arriving is cut off, in whatever pieces they came, and its memory is free again', async () => {
  const head = `POST ${SYNC_PATH} HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\n`
  const stalled = [
    dial('POST /api'),
    dial(`${head}Content-Length: 9000\r\n\r\n{"auth":"x","pad":"${'y'.repeat(7_000)}`),
    // Read by Node's own server.
    dial(`${head}Transfer-Encoding: chunked\r\n\r\n1b58\r\n${'y'.repeat(7_000)}\r\n`),
  ]
  const idle = dial()
  await eventually('all of them to be watched', () => bench.clock.nextAt() !== null)
  await eventually('one to be cut off', () => {
    bench.clock.advance(5_000)
    return stalled.every((line) => line.closed)
  })
  idle.socket.destroy()
  expect(stalled.map(({ got }) => got)).toEqual(['', '', ''])
  expect(await bench.post([rcs()])).toMatchObject({ success: true })
})

test('answers that clients do not read take of their share of memory, and no more', async () => {
  const small = await startClientBench({ limits: { allBodiesBytes: 16 * 1024 * 1024 } })
  const { hostname, port } = new URL(small.address)
  // Each answer has three megabytes; the system takes four for each client.
  const wrong = `{"id":"${'i'.repeat(64)}"}`
  const body = `{"auth":"${KEY}","data":[${`${wrong},`.repeat(9_999)}${wrong}]}`
  const request = `POST ${ASYNC_PATH} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const sockets = Array.from({ length: 12 }, () => connect(Number(port), hostname).pause())
  for (const socket of sockets) socket.write(request.repeat(12))
  const isRefused = async () =>
    (await small.post([{ type: 'balance' }])).error === 'Service unavailable, try again later'
  await eventually('a refusal', isRefused)
  for (const socket of sockets) socket.destroy()
  await eventually('room again', async () => !(await isRefused()))
  await small.stop()
})
