import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HttpServer, startHttpServer } from '../../src/http/server.ts'
import { systemClock } from '../../src/system-clock.ts'
import { SilentLog } from '../support/silent-log.ts'

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

test('before it has routes every path is 503', async () => {
  expect(await get('/')).toMatchObject({ status: 503 })
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

test('a handler that throws, now or later, is 500 and in the log, and tells nothing', async () => {
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
