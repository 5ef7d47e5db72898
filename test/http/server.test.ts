import { once } from 'node:events'
import net from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { type HttpServer, STOP_GRACE_MS, startHttpServer } from '../../src/http/server/server.ts'
import { SilentLog } from '../support/silent-log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

let server: HttpServer
let log: SilentLog
beforeEach(async () => {
  log = new SilentLog()
  server = await startHttpServer({ host: '127.0.0.1', port: 0, clock: systemClock, log })
})
afterEach(() => server.stop())

const get = async (path: string, method = 'GET') => {
  const response = await fetch(server.address + path, { method })
  return { status: response.status, allow: response.headers.get('allow'), text: await response.text() }
}

test('a request that comes before there are routes waits for them', async () => {
  const connected = () => {
    const socket = net.connect(Number(new URL(server.address).port), '127.0.0.1')
    return once(socket, 'connect').then(() => socket)
  }
  const [early, gone] = await Promise.all([connected(), connected()])
  early.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
  gone.resetAndDestroy()
  const asked = get('/healthz')
  // A round trip on another server, so that this one has accepted all of them.
  const other = await startHttpServer({ host: '127.0.0.1', port: 0, clock: systemClock, log })
  other.serve([{ path: '/', handle: (_, response) => void response.end() }])
  await fetch(other.address)
  await other.stop()
  server.serve([{ path: '/healthz', handle: (_, response) => void response.end('ok') }])
  expect(await asked).toMatchObject({ status: 200, text: 'ok' })
  const [answer] = (await once(early, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /)
  early.destroy()
})

test('a server that stops before it has routes ends the connections that wait for them', async () => {
  const socket = net.connect(Number(new URL(server.address).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  await Promise.all([server.stop(), once(socket, 'close')])
})

test('a path that ends in a slash is the beginning of paths, any other is whole', async () => {
  const targets: string[] = []
  const handle = (path: string) => ({
    path,
    handle: (_: unknown, response: { end: (text: string) => void }, target: string) => {
      targets.push(target)
      response.end(path)
    },
  })
  server.serve([handle('/l/'), handle('/healthz')])
  expect(await get('/l/abc?x=1')).toMatchObject({ status: 200, text: '/l/' })
  expect(await get('/healthz?y')).toMatchObject({ status: 200, text: '/healthz' })
  expect(targets).toEqual(['/l/abc?x=1', '/healthz?y'])
  for (const path of ['/l', '/healthz/', '/healthzz', '/']) expect(await get(path)).toMatchObject({ status: 404 })
})

test('a method that a route does not take is 405 with those that it takes', async () => {
  server.serve([{ path: '/healthz', methods: ['GET', 'HEAD'], handle: (_, response) => void response.end() }])
  expect(await get('/healthz', 'POST')).toMatchObject({ status: 405, allow: 'GET, HEAD' })
  expect(await get('/healthz')).toMatchObject({ status: 200 })
})

test('a request with two Host headers is 400, and its connection ends', async () => {
  server.serve([{ path: '/healthz', handle: (_, response) => void response.end() }])
  const socket = net.connect(Number(new URL(server.address).port), '127.0.0.1')
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'end')
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 /)
})

test('a handler that throws or rejects is 500 and logged, and the answer reveals nothing', async () => {
  server.serve([
    {
      path: '/now',
      handle: () => {
        throw new Error('secret')
      },
    },
    { path: '/later', handle: () => Promise.reject(new Error('secret')) },
  ])
  for (const path of ['/now', '/later'])
    expect(await get(path)).toMatchObject({ status: 500, text: 'Internal error\n' })
  expect(log.lines.map((line) => line.level)).toEqual(['error', 'error'])
})

test('an address that is taken rejects', async () => {
  const port = Number(new URL(server.address).port)
  await expect(startHttpServer({ host: '127.0.0.1', port, clock: systemClock, log })).rejects.toThrow('EADDRINUSE')
})

const CHUNKED = 'Host: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc'

test.each([
  ['half a head', 'GET /heal', 0],
  ['half a plain head', 'POST /slow HTT', 0],
  ['half a body that is read', `POST /slow HTTP/1.1\r\n${CHUNKED}`, 1],
  ['half a body that is not read', `POST /fast HTTP/1.1\r\n${CHUNKED}`, 1],
])('a stop waits for requests that run, and not for %s', async (_what, bytes, requests) => {
  const clock = new VirtualClock()
  const stopping = await startHttpServer({ host: '127.0.0.1', port: 0, clock, log })
  const { promise: finish, resolve: onFinish } = Promise.withResolvers<void>()
  const { promise: arrived, resolve: onArrived } = Promise.withResolvers<void>()
  let seen = 0
  const see = () => {
    seen += 1
    if (seen === requests + 1) onArrived()
  }
  stopping.serve([
    {
      path: '/slow',
      handle: async (request, response) => {
        see()
        request.resume()
        if (request.method === 'POST') return
        await finish
        response.end('answered')
      },
    },
    {
      path: '/fast',
      handle: (_, response) => {
        see()
        response.end('refused')
      },
    },
  ])
  const socket = net.connect(Number(new URL(stopping.address).port), '127.0.0.1')
  socket.on('error', () => {}).write(bytes)
  const running = fetch(`${stopping.address}/slow`)
  await arrived
  const closed = once(socket.resume(), 'close')
  const stopped = stopping.stop()
  clock.advance(STOP_GRACE_MS)
  await closed
  onFinish()
  const response = await running
  expect([response.headers.get('connection'), await response.text()]).toEqual(['close', 'answered'])
  await stopped
})
