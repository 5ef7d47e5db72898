/**
 * Clients that send requests without waiting for answers, on the fast path and through Node's reader: a turn of the
 * event loop has room for few of them, those that were begun are all answered, and endless refusals end a connection.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { BodyBudget } from '../../src/http/server/body.ts'
import { writePlainHead } from '../../src/http/server/plain-head.ts'
import { MAX_OF_CONNECTION, MAX_SERVED } from '../../src/http/server/read-turns.ts'
import { MAX_REFUSALS, markRefused } from '../../src/http/server/refusals.ts'
import { type HttpRoute, type HttpServer, startHttpServer } from '../../src/http/server/server.ts'
import { eventually } from '../support/eventually.ts'
import { SilentLog } from '../support/silent-log.ts'

const MAX_IN_TURN = MAX_OF_CONNECTION * (MAX_SERVED + 1)

let server: HttpServer
let done = 0
let waiting: (() => void)[] = []

const answer = (target: string) => {
  done += 1
  const isRefusal = target.includes('refused')
  return { head: writePlainHead(200, []), text: target, release: null, isRefusal }
}
const late = (target: string) => {
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof answer>>()
  const given = answer(target)
  waiting.push(() => resolve(given))
  return promise
}
const links: HttpRoute = {
  path: '/l/',
  plain: { body: null, answer: ({ target }) => answer(target) },
  handle: (_, response, target) => {
    if (answer(target).isRefusal) markRefused(response)
    response.end(target)
  },
}
const quickPost: HttpRoute = {
  path: '/quick',
  plain: {
    body: { maxBytes: 1_000, open: () => expect.unreachable() },
    answer: async ({ body }) => answer(String(body)),
  },
  handle: async (request, response) => {
    let bytes = 0
    for await (const piece of request) {
      bytes += piece.length
      done += piece.length
    }
    response.end(`${bytes} bytes`)
  },
}
/** Counts the bytes of whole bodies. */
const longPost: HttpRoute = {
  path: '/long',
  plain: {
    body: { maxBytes: 256 * 1024, open: () => new BodyBudget(1024 * 1024).open(null) },
    answer: ({ body, hold }) => {
      hold?.release()
      done += body.length
      return { head: writePlainHead(200, []), text: '', release: null }
    },
  },
  handle: () => expect.unreachable(),
}
const latePost: HttpRoute = {
  path: '/late',
  plain: { body: { maxBytes: 1_000, open: () => expect.unreachable() }, answer: ({ body }) => late(String(body)) },
  handle: (request, response) => {
    done += 1
    request.resume()
    waiting.push(() => response.end('later'))
  },
}

beforeEach(async () => {
  done = 0
  waiting = []
  server = await startHttpServer({ host: '127.0.0.1', port: 0, clock: systemClock, log: new SilentLog() })
  server.serve([links, quickPost, longPost, latePost])
})
afterEach(() => server.stop())

const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\nHost: p\r\n${more}\r\n`
const post = (path: string, body: string, type = 'application/json') =>
  `POST ${path} HTTP/1.1\r\nHost: p\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`

interface Client {
  readonly socket: Socket
  readonly received: { text: string }
  readonly closed: Promise<unknown>
}

function open(): Client {
  const socket = connect({ port: Number(new URL(server.address).port), host: '127.0.0.1', noDelay: true })
  const received = { text: '' }
  socket.setEncoding('utf8').on('data', (text: string) => (received.text += text))
  return { socket, received, closed: once(socket, 'close') }
}

const answersIn = (text: string) => text.match(/HTTP\/1\.1 \d+/g) ?? []

/** Returns the largest number of requests, or bytes of a body, that one turn of the event loop took. */
async function maxInTurn(total: number): Promise<number> {
  let max = 0
  await new Promise<void>((resolve) => {
    let before = done
    const look = () => {
      max = Math.max(max, done - before)
      before = done
      if (done >= total) resolve()
      else setImmediate(look)
    }
    look()
  })
  return max
}

/** A body of so many bytes, through Node. */
const forNode = (bytes: number) => post('/quick', 'x'.repeat(bytes), 'text/plain')

test.each([
  ['bodies of 200 kB on the fast path', post('/long', 'x'.repeat(200_000)), 60, 200_000],
  ['bodies of 60 kB on the fast path', post('/long', 'x'.repeat(60_000)), 200, 60_000],
  ['bodies of 200 kB for Node', forNode(200_000), 60, 200_000],
  ['one body of 12 MB for Node', forNode(12_000_000), 1, 12_000_000],
])('%s are read a few pieces in a turn, and all are answered in time', async (_, request, count, bytes) => {
  const { socket, received } = open()
  socket.write(request.repeat(count))
  // A piece is a chunk of the socket at most. On the fast path a body is counted with its last piece.
  const before = request.includes(' /long ') ? bytes : 0
  expect(await maxInTurn(bytes * count)).toBeLessThanOrEqual((MAX_SERVED + 1) * 64 * 1024 + before)
  await eventually('all answers', () => answersIn(received.text).length === count)
  socket.destroy()
})

const CHUNKED = 'POST /quick HTTP/1.1\r\nHost: p\r\nTransfer-Encoding: chunked\r\n\r\n'

test.each([
  ['GETs of the fast path', get('/l/a')],
  ['POSTs that are answered at once', post('/quick', '{}')],
  ['GETs for Node', get('/l/a', 'TE: trailers\r\n')],
  ['POSTs for Node', post('/quick', 'x', 'text/plain')],
])('%s in one piece are read a few in a turn, and all are answered in time', async (_, request) => {
  const total = 2_000
  const { socket, received } = open()
  socket.write(request.repeat(total))
  expect(await maxInTurn(total)).toBeLessThanOrEqual(MAX_IN_TURN)
  await eventually('all answers', () => answersIn(received.text).length === total)
  socket.destroy()
})

test('a body in chunks of one byte is read a few in a turn', async () => {
  const { socket, received } = open()
  socket.write(`${CHUNKED}${'1\r\nx\r\n'.repeat(5_000)}0\r\n\r\n`)
  await eventually('its first pieces', () => done > 0)
  // A piece has 16 chunks.
  expect(await maxInTurn(5_000)).toBeLessThanOrEqual(16 * MAX_IN_TURN)
  await eventually('the answer', () => received.text.includes('5000 bytes'))
  socket.destroy()
})

test('a client is answered while hundreds of connections send without end', async () => {
  const others = Array.from({ length: 200 }, () => open())
  for (const { socket } of others) socket.write(get('/l/a').repeat(1_000))
  await eventually('their first answers', () => done > 0)
  const { socket, received } = open()
  socket.write(get('/l/mine'))
  await eventually('its answer', () => received.text.includes('/l/mine'))
  expect(done).toBeLessThan(100_000)
  for (const each of [...others, { socket }]) each.socket.destroy()
})

test('a client that reads no answers of Node has few requests executed', async () => {
  const { socket } = open()
  socket.pause()
  socket.write(post('/late', '{}', 'text/plain').repeat(500))
  await eventually('the first requests', () => done > 0)
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => void setImmediate(resolve))
  expect(done).toBeLessThan(100)
  socket.resetAndDestroy()
})

test.each([
  ['on the fast path', post('/late', '{}')],
  ['through Node', post('/late', '{}', 'application/json; charset=utf-8')],
])('a client that half-closes gets the answers to all requests, %s', async (_, request) => {
  const { socket, received, closed } = open()
  socket.end(request.repeat(5))
  while (answersIn(received.text).length < 5) {
    await eventually('a request', () => waiting.length > 0 || answersIn(received.text).length === 5)
    for (const finish of waiting.splice(0)) finish()
  }
  await closed
  expect(done).toBe(5)
})

test.each([
  ['a request that closes, with more behind it,', post('/late', 'x').replace('\r\n', '\r\nConnection: close\r\n')],
  ['a request before one that Node refuses', `${post('/late', 'x', 'text/plain')}NOISE\r\n\r\n`],
  ['a request before the start of another', `${post('/late', 'x', 'text/plain')}GET /l/`],
  ['a request of HTTP/1.0', post('/late', 'x').replace('HTTP/1.1', 'HTTP/1.0')],
])('%s is answered to a client that half-closed', async (_, bytes) => {
  const { socket, received, closed } = open()
  socket.end(`${bytes}${get('/l/more')}`)
  await eventually('the request', () => waiting.length === 1)
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => void setImmediate(resolve))
  expect(received.text).toBe('')
  for (const finish of waiting) finish()
  await closed
  expect(received.text).toMatch(/^HTTP\/1\.1 200/)
  expect(done).toBe(1)
})

test('requests that were begun when the server stops are all answered', async () => {
  const { socket, received, closed } = open()
  socket.write(post('/late', 'x', 'text/plain').repeat(3))
  await eventually('the requests', () => waiting.length === 3)
  server.giveNotice()
  socket.write(get('/l/behind', 'TE: x\r\n'))
  for (const finish of waiting) finish()
  await closed
  expect(answersIn(received.text)).toHaveLength(3)
  expect(received.text.match(/Connection: [a-z-]+/g)).toEqual([
    'Connection: keep-alive',
    'Connection: keep-alive',
    'Connection: close',
  ])
  expect(done).toBe(3)
})

test.each([
  ['on the fast path', ''],
  ['through Node', 'TE: trailers\r\n'],
])('a connection of refusals alone is closed, and one with an execution between them is not, %s', async (_, more) => {
  const refused = get('/l/refused', more)
  const patient = open()
  patient.socket.write(refused.repeat(MAX_REFUSALS - 1) + get('/l/a', more) + refused.repeat(MAX_REFUSALS - 1))
  await eventually('all answers', () => answersIn(patient.received.text).length === 2 * MAX_REFUSALS - 1)
  patient.socket.destroy()
  await patient.closed
  done = 0
  const hostile = open()
  hostile.socket.write(refused.repeat(3 * MAX_REFUSALS))
  await hostile.closed
  expect(hostile.received.text.match(/Connection: close/g)).toHaveLength(1)
  expect(done).toBeLessThanOrEqual(MAX_REFUSALS + 1)
})
