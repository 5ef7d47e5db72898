/**
 * The fast way in must never be seen: whatever comes over a connection, in whatever pieces, is answered as the server
 * answers without it.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/app/system-clock.ts'
import { Bodies } from '../../src/http/body.ts'
import { ClientAddresses, originOf } from '../../src/http/client-address.ts'
import type { PlainPostPath } from '../../src/http/plain-post.ts'
import { type HttpRoute, type HttpServer, startHttpServer } from '../../src/http/server.ts'
import { SilentLog } from '../support/silent-log.ts'

const MAX_BODY_BYTES = 2_000

let taken = 0
const answerTo = (body: Buffer, key: string | null): string => JSON.stringify({ received: body.toString(), key })
const bodies = new Bodies({ maxBytes: 1e9, clock: systemClock, addresses: new ClientAddresses([]) })
const plainPost: PlainPostPath = {
  maxBodyBytes: MAX_BODY_BYTES,
  open: (origin) => bodies.open(origin),
  answer: async ({ body, hold, idempotencyKey }) => {
    taken += 1
    return { text: answerTo(body, idempotencyKey), release: () => hold?.release() }
  },
}
const ordinary: HttpRoute = {
  path: '/in',
  handle: (request, response) =>
    bodies.read(request, response, { hold: bodies.open(originOf(request)), maxBytes: 1_000_000 }, (body) => {
      const key = request.headers['idempotency-key']
      const text = answerTo(Buffer.from(body), typeof key === 'string' && key !== '' ? key : null)
      response.writeHead(200, ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(text))])
      response.end(text)
    }),
}

let fast: HttpServer
let plain: HttpServer

beforeAll(async () => {
  const setup = { host: '127.0.0.1', port: 0, clock: systemClock, log: new SilentLog() }
  fast = await startHttpServer(setup)
  plain = await startHttpServer(setup)
  fast.serve([{ ...ordinary, plainPost }])
  plain.serve([ordinary])
})

afterAll(() => Promise.all([fast.stop(), plain.stop()]))

/** Sends the pieces one after the other and hangs up; what was answered, without the time of day. */
function talk(server: HttpServer, pieces: readonly Buffer[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ port: Number(new URL(server.address).port), host: '127.0.0.1', noDelay: true })
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(bodiesOf(Buffer.concat(chunks).toString())))
    const send = (index: number): void => {
      const piece = pieces[index]
      if (piece === undefined) socket.end()
      else socket.write(piece, () => setImmediate(() => send(index + 1)))
    }
    send(0)
  })
}

/** Status and body of each answer. */
function bodiesOf(text: string): string {
  return text.replaceAll(/HTTP\/1\.1 (\d+)[^\r]*\r\n(?:[^\r]+\r\n)*\r\n/g, '<$1>')
}

const post = (body: string, headers: readonly string[] = [], path = '/in'): string => {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return [`POST ${path} HTTP/1.1`, 'Host: p', 'Content-Type: application/json', ...headers, length, '', body].join(
    '\r\n',
  )
}

const cut = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const at = [0, ...places.map((place) => place % bytes.length).sort((a, b) => a - b), bytes.length]
  return at.slice(1).flatMap((end, index) => (end > (at[index] ?? 0) ? [bytes.subarray(at[index], end)] : []))
}

const body = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc.integer({ min: 1, max: 2 * MAX_BODY_BYTES }).map((length) => 'x'.repeat(length)),
)
const requests = fc.oneof(
  { weight: 6, arbitrary: body.map((text) => post(text)) },
  body.map((text) => post(text, ['Idempotency-Key: k-1', 'X-Other: a, b'])),
  body.map((text) => post(text, ['x-empty:', 'Idempotency-Key:   '])),
  fc.constant('GET /in HTTP/1.1\r\nHost: p\r\n\r\n'),
  fc.constant('GET /elsewhere HTTP/1.1\r\nHost: p\r\n\r\n'),
  body.map((text) => post(text, [], '/in?x=1')),
  body.map((text) => post(text, ['Expect: 100-continue'])),
  body.map((text) => {
    const size = Buffer.byteLength(text).toString(16)
    return `POST /in HTTP/1.1\r\nHost: p\r\nTransfer-Encoding: chunked\r\n\r\n${size}\r\n${text}\r\n0\r\n\r\n`
  }),
)

test('requests of every kind, in any pieces, are answered as without the fast way', async () => {
  const before = taken
  await fc.assert(
    fc.asyncProperty(
      fc.array(requests, { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(), { maxLength: 6 }),
      async (list, places) => {
        const pieces = cut(Buffer.from(list.join('')), places)
        const [withIt, without] = await Promise.all([talk(fast, pieces), talk(plain, pieces)])
        expect(withIt).toBe(without)
      },
    ),
    { numRuns: 150 },
  )
  expect(taken).toBeGreaterThan(before + 50)
})

test.each([
  [
    'two lengths',
    'POST /in HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x',
  ],
  [
    'a length and chunks',
    'POST /in HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
  ],
  [
    'a length with a sign',
    'POST /in HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\nContent-Length: +2\r\n\r\n{}',
  ],
  ['no host', 'POST /in HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'],
  [
    'two hosts',
    'POST /in HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  ],
  [
    'a folded header',
    'POST /in HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\n x\r\nContent-Length: 2\r\n\r\n{}',
  ],
  [
    'a space before the colon',
    'POST /in HTTP/1.1\r\nHost: p\r\nContent-Length : 2\r\nContent-Type: application/json\r\n\r\n{}',
  ],
  ['bare line feeds', 'POST /in HTTP/1.1\nHost: p\nContent-Type: application/json\nContent-Length: 2\n\n{}'],
  ['an old version', 'POST /in HTTP/1.0\r\nHost: p\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'],
  ['noise', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a head without end', `POST /in HTTP/1.1\r\nHost: p\r\nX: ${'y'.repeat(20_000)}`],
])('%s is left to Node to judge', async (_, text) => {
  const before = taken
  const bytes = [Buffer.from(text, 'latin1')]
  const [withIt, without] = await Promise.all([talk(fast, bytes), talk(plain, bytes)])
  expect(withIt).toBe(without)
  expect(taken).toBe(before)
})

test('a request that has arrived when the server stops is answered', async () => {
  const stopping = await startHttpServer({ host: '127.0.0.1', port: 0, clock: systemClock, log: new SilentLog() })
  stopping.serve([{ ...ordinary, plainPost }])
  const socket = connect({ port: Number(new URL(stopping.address).port), host: '127.0.0.1', noDelay: true })
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  socket.write(post('one'))
  await once(socket, 'data')
  const ended = once(socket, 'close')
  // Both in one turn of the event loop: the server has it, and has not read it.
  socket.write(post('two'))
  await stopping.stop()
  await ended
  expect(bodiesOf(received)).toBe('<200>{"received":"one","key":null}<200>{"received":"two","key":null}')
})

test('a server that will stop serves everybody as before, and ends each connection with its next answer', async () => {
  const leaving = await startHttpServer({ host: '127.0.0.1', port: 0, clock: systemClock, log: new SilentLog() })
  leaving.serve([{ ...ordinary, plainPost }])
  const open = async () => {
    const socket = connect({ port: Number(new URL(leaving.address).port), host: '127.0.0.1' })
    const received = { text: '' }
    socket.setEncoding('utf8').on('data', (text: string) => {
      received.text += text
    })
    await once(socket, 'connect')
    return { socket, received, ended: once(socket, 'close') }
  }
  const [kept, idle] = [await open(), await open()]
  kept.socket.write(post('one'))
  await once(kept.socket, 'data')
  leaving.giveNotice()
  kept.socket.write(post('two'))
  await kept.ended
  expect(bodiesOf(kept.received.text)).toBe('<200>{"received":"one","key":null}<200>{"received":"two","key":null}')
  expect(kept.received.text.match(/Connection: \S+/g)).toEqual(['Connection: keep-alive', 'Connection: close'])
  const late = await open()
  late.socket.write(post('three'))
  await late.ended
  expect(bodiesOf(late.received.text)).toBe('<200>{"received":"three","key":null}')
  await leaving.stop()
  await idle.ended
})

test('an answer of many megabytes arrives whole, and so does the one to the request behind it', async () => {
  const long = 'x'.repeat(30_000_000)
  const generous = await startHttpServer({ host: '127.0.0.1', port: 0, clock: systemClock, log: new SilentLog() })
  const answer: PlainPostPath['answer'] = async ({ body, hold }) => {
    const text = body.toString() === 'long' ? JSON.stringify(long) : JSON.stringify(body.toString())
    return { text, release: () => hold?.release() }
  }
  generous.serve([{ ...ordinary, plainPost: { ...plainPost, answer } }])
  const socket = connect({ port: Number(new URL(generous.address).port), host: '127.0.0.1' })
  // Nothing of the answer is read before all of it must wait.
  socket.pause()
  socket.write(Buffer.concat([Buffer.from(post('long')), Buffer.from(post('short'))]))
  await once(socket, 'connect')
  let size = 0
  let tail = ''
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length
      tail = (tail + chunk.toString('latin1')).slice(-200)
      if (tail.endsWith('"short"')) resolve()
    })
  })
  socket.resume()
  await Promise.race([answered, once(socket, 'close')])
  expect(tail).toContain('"short"')
  expect(size).toBeGreaterThan(long.length)
  socket.destroy()
  await generous.stop()
})
