import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import { HttpClient } from '../../src/wire/http-client.ts'
import { readRetryAfter } from '../../src/wire/http-exchange.ts'
import { eventually, settled } from '../support/eventually.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const NOW = Date.UTC(2026, 0, 1)

let clock: VirtualClock
let client: HttpClient
let server: Server
let url: string
const sockets = new Set<Socket>()
let connections = 0
/** What the server does once it has read a request. */
let behave: (socket: Socket) => void

beforeEach(async () => {
  connections = 0
  clock = new VirtualClock(NOW)
  client = new HttpClient({ connections: 2, timeoutMs: 5_000 }, clock)
  server = createServer((socket) => {
    sockets.add(socket)
    connections += 1
    socket.on('data', () => behave(socket))
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
})

afterEach(async () => {
  await client.close()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

const get = () => client.send({ method: 'GET', url })
const answer = (head: string, body: string) => `HTTP/1.1 ${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`

test('returns status, body and the requested wait', async () => {
  behave = (socket) => socket.write(answer('429 Slow\r\nRetry-After: 7', 'wait'))
  expect(await get()).toEqual({ kind: 'answered', status: 429, retryAfterMs: 7_000, body: 'wait' })
})

test('sends its name and version, unless the request has another user agent', async () => {
  const heads: string[] = []
  behave = (socket) => socket.write(answer('200 OK', 'x'))
  server.on('connection', (socket) => socket.on('data', (bytes) => heads.push(String(bytes))))
  await get()
  await client.send({ method: 'POST', url, headers: { 'user-agent': 'shop/7' }, body: '{}' })
  const agents = heads.map((head) => [...head.matchAll(/^user-agent: (.*)\r$/gim)].map(([, agent]) => agent))
  expect(agents).toEqual([[`posthorn/${about.version}`], ['shop/7']])
})

test('reuses its connections', async () => {
  behave = (socket) => socket.write(answer('200 OK', 'x'))
  for (let round = 0; round < 8; round += 1) expect(await get()).toMatchObject({ status: 200 })
  expect(connections).toBeLessThanOrEqual(2)
})

test('follows no redirect', async () => {
  behave = (socket) => socket.write(answer('302 Found\r\nLocation: http://127.0.0.1:1/', ''))
  expect(await get()).toMatchObject({ kind: 'answered', status: 302 })
})

test('accepts an answer of at most 64 KiB', async () => {
  behave = (socket) => socket.write(answer('200 OK', 'x'.repeat(65_536)))
  expect(await get()).toMatchObject({ kind: 'answered', status: 200 })
  behave = (socket) => socket.write(answer('200 OK', 'x'.repeat(65_537)))
  expect(await get()).toEqual({ kind: 'silent', reason: 'the answer is longer than 65536 bytes', timedOut: false })
})

test.each([
  ['says nothing', () => {}],
  ['stops in the head', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nContent-')],
  ['stops in the body', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx')],
])('gives up by the virtual clock when the server %s, and closes the connection', async (_, silence) => {
  behave = silence
  const pending = get()
  await eventually('the connection', () => sockets.size === 1)
  expect(await settled('the result', pending, clock)).toEqual({
    kind: 'silent',
    reason: 'no answer within 5 s',
    timedOut: true,
  })
  await eventually('the end of the connection', () => sockets.size === 0)
})

test.each([
  ['hangs up', (socket: Socket) => socket.end()],
  ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ['is no HTTP server', (socket: Socket) => socket.write('220 mail.example ESMTP\r\n')],
  ['hangs up in the body', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx')],
])('returns silence when the server %s', async (_, failure) => {
  behave = failure
  expect(await get()).toMatchObject({ kind: 'silent', timedOut: false })
})

test.each([['no address'], ['http://'], ['http://127.0.0.1:1/']])('returns silence for %s', async (address) => {
  expect(await client.send({ method: 'GET', url: address })).toMatchObject({ kind: 'silent', timedOut: false })
})

test('refuses a header that would split the request', async () => {
  const headers = { authorization: 'x\r\nEvil: 1' }
  expect(await client.send({ method: 'GET', url, headers })).toMatchObject({ kind: 'silent' })
})

test('queues a bounded number of requests, and fails all of them when it is closed', async () => {
  behave = () => {}
  const pending = Array.from({ length: 64 }, get)
  expect(await get()).toEqual({ kind: 'silent', reason: 'too many requests are waiting', timedOut: false })
  await client.close()
  for (const result of await Promise.all(pending)) expect(result.kind).toBe('silent')
})

test('reads Retry-After in seconds and as a date, never below zero nor above an hour', () => {
  const read = (value: string | undefined) => readRetryAfter(value, NOW, 3_600_000)
  expect(read(undefined)).toBe(null)
  expect(read('soon')).toBe(null)
  expect(read('120')).toBe(120_000)
  expect(read('9'.repeat(400))).toBe(3_600_000)
  expect(read(new Date(NOW + 30_000).toUTCString())).toBe(30_000)
  expect(read(new Date(NOW - 30_000).toUTCString())).toBe(0)
})
