/** The built console as the admin port serves it: its files and its page, and nothing else of the machine. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConsoleRoutes } from '../../src/http/console/console.ts'
import { readConsoleFiles } from '../../src/http/console/console-files.ts'
import { type HttpServer, startHttpServer } from '../../src/http/server/server.ts'
import { plainRequest } from '../support/plain-request.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { SilentLog } from '../support/silent-log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

let folder: string
let server: HttpServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-console-'))
  const built = join(folder, 'console')
  mkdirSync(join(built, 'assets'), { recursive: true })
  writeFileSync(join(built, 'index.html'), '<meta property="csp-nonce" nonce="CSP_NONCE"><title>Posthorn</title>')
  writeFileSync(join(built, 'icon.svg'), '<svg/>')
  writeFileSync(join(built, 'assets/main-1a2b.js'), 'plain')
  writeFileSync(join(built, 'assets/main-1a2b.js.gz'), 'gzip')
  writeFileSync(join(folder, 'secret.key'), 'a secret')
  server = await startHttpServer({ host: '127.0.0.1', port: 0, clock: new VirtualClock(), log: new SilentLog() })
  server.serve(createConsoleRoutes(await readConsoleFiles(built), new SeededRandom()))
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  plainRequest(server.address, path, { headers })

describe('the page', () => {
  test.each(['/console/', '/console/messages/12864', '/console/accounts/1?tab=keys', '/console/index.html'])(
    'is at %s, and never cached',
    async (path) => {
      const { status, headers, body } = await get(path)
      expect({ status, type: headers['content-type'], cache: headers['cache-control'] }).toEqual({
        ...{ status: 200, type: 'text/html; charset=utf-8', cache: 'no-store' },
      })
      expect(body).toContain('<title>Posthorn</title>')
    },
  )

  test('permits only scripts of the gateway, and styles with a nonce that each answer has of its own', async () => {
    const [first, second] = [await get('/console/'), await get('/console/')]
    const nonceOf = ({ body }: typeof first) => /nonce="([^"]+)"/.exec(body)?.[1]
    expect(nonceOf(first)).toMatch(/^[\w+/]{22}==$/)
    expect(nonceOf(second)).not.toBe(nonceOf(first))
    expect(first.headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonceOf(first)}'; connect-src 'self'; ` +
        "img-src 'self' data:; font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; " +
        "frame-ancestors 'none'",
    )
  })

  test('cannot be framed, guessed at or referred to', async () => {
    const { headers } = await get('/console/')
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['permissions-policy']).toContain('camera=()')
  })
})

describe('a file', () => {
  test('with a hash in its name is kept for a year, in the encoding that the browser reads', async () => {
    const path = '/console/assets/main-1a2b.js'
    const encodings = ['gzip, deflate, br', 'identity', 'gzip;q=0']
    const answers = await Promise.all(encodings.map((each) => get(path, { 'accept-encoding': each })))
    expect(answers.map(({ body, headers }) => [body, headers['content-encoding']])).toEqual([
      ['gzip', 'gzip'],
      ['plain', undefined],
      ['plain', undefined],
    ])
    for (const { headers } of answers) {
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect([headers.vary, headers['content-type']]).toEqual(['Accept-Encoding', 'text/javascript; charset=utf-8'])
    }
  })

  test('without one is checked each time', async () => {
    const { headers } = await get('/console/icon.svg')
    expect(headers['cache-control']).toBe('no-cache')
    const again = await get('/console/icon.svg', { 'if-none-match': String(headers.etag) })
    expect([again.status, again.body]).toEqual([304, ''])
  })

  test('that an older build had is not replaced by the page', async () => {
    expect((await get('/console/assets/main-0000.js')).status).toBe(404)
  })
})

describe('an address that leads out of the folder', () => {
  test.each([
    '/console/../secret.key',
    '/console/..%2fsecret.key',
    '/console/%2e%2e/secret.key',
    '/console/assets/..%2f..%2f..%2fsecret.key',
    '/console/..%5csecret.key',
    '/console/.%00./secret.key',
    '/console/%',
    '/console/%c0%ae%c0%ae/secret.key',
  ])('%s is not found', async (path) => {
    const { status, body } = await get(path)
    expect([status, body]).toEqual([404, 'Not found\n'])
  })
})

test('other methods are refused, and the address without a slash leads to the console', async () => {
  expect((await plainRequest(server.address, '/console/', { method: 'POST' })).status).toBe(405)
  const { status, headers } = await get('/console')
  expect([status, headers.location]).toEqual([302, '/console/'])
  const head = await plainRequest(server.address, '/console/icon.svg', { method: 'HEAD' })
  expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', '6'])
})

test('a console that is not built says which command builds it', async () => {
  const other = await startHttpServer({ host: '127.0.0.1', port: 0, clock: new VirtualClock(), log: new SilentLog() })
  other.serve(createConsoleRoutes(await readConsoleFiles(join(folder, 'absent')), new SeededRandom()))
  const { status, headers, body } = await plainRequest(other.address, '/console/messages')
  await other.stop()
  expect([status, headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8'])
  expect(body).toContain('npm run build-console')
})
