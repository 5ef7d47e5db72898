/** The session of a browser, and what a hostile page makes of it that the same browser has opened. */
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PlainRequest, plainRequest } from '../support/plain-request.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const PASSWORD = 'correct horse battery'
const PROXY = '127.0.0.1/32'
const ORIGIN = 'https://console.example.com'

let world: SandboxWorld
let secret: string
beforeAll(async () => {
  world = await SandboxWorld.start(undefined, undefined, { 'trusted-proxies': PROXY, 'console-origin': ORIGIN })
  await world.askAdmin('POST', '/users', { body: { user: 'anna', role: 'owner' } })
  const { body } = await world.askAdmin('POST', '/users/anna/tokens', { body: { label: 'first' } })
  const token = String(body['token'])
  secret = String((await world.askAdmin('POST', '/me/codes', { token })).body['secret'])
  await world.askAdmin('PUT', '/me/password', { token, body: { password: PASSWORD } })
  const codes = { secret, code: code(), current_password: PASSWORD }
  await world.askAdmin('PUT', '/me/codes', { token, body: codes })
})
afterAll(() => world.stop())

const code = () => new TOTP({ secret }).generate({ timestamp: world.clock.now() })
const ask = (path: string, options?: PlainRequest) =>
  plainRequest(world.gateway.adminAddress, `/admin/v1${path}`, options)
const ownHost = () => new URL(world.gateway.adminAddress).host

/** What a page of the console sends with a change. */
const OWN = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }

function logIn(headers: Readonly<Record<string, string>> = OWN) {
  // Each code is taken once.
  world.clock.advance(30_000)
  const body = JSON.stringify({ user: 'anna', password: PASSWORD, code: code(), cookie: true })
  return ask('/session', { method: 'POST', headers, body })
}
async function cookieOf(headers?: Readonly<Record<string, string>>): Promise<string> {
  const [cookie = ''] = (await logIn(headers)).headers['set-cookie'] ?? []
  return cookie.split(';', 1)[0] ?? ''
}

describe('a login of the console', () => {
  test('puts the token into a cookie that no script reads and no other site sends', async () => {
    const { status, headers, body } = await logIn()
    expect(status).toBe(200)
    expect(JSON.parse(body)).toEqual({ user: 'anna', expires_at: expect.any(String) })
    const port = new URL(world.gateway.adminAddress).port
    const cookie = new RegExp(
      `^posthorn-session-${port}=ph_admin_\\S+; Path=/admin/; HttpOnly; SameSite=Strict; Max-Age=43200$`,
    )
    expect(headers['set-cookie']).toEqual([expect.stringMatching(cookie)])
  })

  test('is known by it until it logs out, which removes the cookie', async () => {
    const cookie = await cookieOf()
    const me = await ask('/me', { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
    expect(JSON.parse(me.body)).toMatchObject({
      ...{ user: 'anna', role: 'owner', password: true, codes: true },
      expires_at: new Date(world.clock.now() + 12 * 3_600_000).toISOString(),
      proved_until: new Date(world.clock.now() + 600_000).toISOString(),
      client_api: world.gateway.address,
      client_apis: ['json', 'rest'],
      smpp_port: null,
    })
    const out = await ask('/session', { method: 'DELETE', headers: { cookie, ...OWN } })
    expect([out.status, out.headers['set-cookie']]).toEqual([204, [expect.stringContaining('=; Path=/admin/;')]])
    expect((await ask('/me', { headers: { cookie } })).status).toBe(401)
  })

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' }, 403],
    ['another port of the machine', { 'sec-fetch-site': 'same-site', 'content-type': 'application/json' }, 403],
    [
      'an old browser with a page of another site',
      { origin: 'https://evil.example', 'content-type': 'application/json' },
      403,
    ],
    ['a page without an origin', { origin: 'null', 'content-type': 'application/json' }, 403],
    ['an unknown page', { 'content-type': 'application/json' }, 403],
  ])('is refused to %s, which would log its victim in as another user', async (_page, headers, status) => {
    const answer = await logIn(headers)
    expect([answer.status, answer.headers['set-cookie']]).toEqual([status, undefined])
  })
})

describe('behind a proxy with TLS', () => {
  test.each([
    ['that reports it', { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }],
    ['that reports it by Forwarded', { forwarded: 'for=192.0.2.1;proto=https' }],
    ['whose name is set', { host: 'console.example.com' }],
  ])('%s, the cookie is sent by TLS only, and by no other host of the domain', async (_proxy, headers) => {
    const { headers: answered } = await logIn({ ...OWN, ...headers })
    const pattern = /^__Host-posthorn-session=ph_admin_\S+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=43200$/
    expect(answered['set-cookie']).toEqual([expect.stringMatching(pattern)])
    const [cookie = ''] = answered['set-cookie']?.[0]?.split(';', 1) ?? []
    expect((await ask('/me', { headers: { ...headers, cookie } })).status).toBe(200)
  })
})

describe('with the cookie', () => {
  let cookie: string
  beforeAll(async () => {
    cookie = await cookieOf()
  })
  const change = (headers: Readonly<Record<string, string>>, body = '{"name":"Shop","currency":"EUR"}') =>
    ask('/accounts', { method: 'POST', headers: { cookie, ...headers }, body })
  const accounts = async () => (await world.gateway.store.loadDirectory()).accounts.length

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' }, 403],
    ['another port of the machine', { 'sec-fetch-site': 'same-site', 'content-type': 'application/json' }, 403],
    ['a bookmark', { 'sec-fetch-site': 'none', 'content-type': 'application/json' }, 403],
    ['a page of another origin', { origin: 'http://evil.example', 'content-type': 'application/json' }, 403],
    ['a sandboxed frame', { origin: 'null', 'content-type': 'application/json' }, 403],
    ['a page that hides its origin', { 'content-type': 'application/json' }, 403],
    ['a form', { ...OWN, 'content-type': 'text/plain' }, 415],
    ['a form that pretends', { ...OWN, 'content-type': 'text/plain; application/json' }, 415],
    ['a form with parts', { ...OWN, 'content-type': 'multipart/form-data; boundary=x' }, 415],
  ])('nothing is changed for %s', async (_page, headers, status) => {
    const before = await accounts()
    expect((await change(headers)).status).toBe(status)
    expect(await accounts()).toBe(before)
  })

  test.each(['evil.example', 'console.example.com.evil.example', '127.0.0.1.evil.example'])(
    'nothing is changed or read for a page of %s that leads here by DNS rebinding',
    async (name) => {
      const host = `${name}:${new URL(world.gateway.adminAddress).port}`
      const before = await accounts()
      expect((await change({ ...OWN, host })).status).toBe(403)
      expect(await accounts()).toBe(before)
      expect((await ask('/accounts', { headers: { cookie, host, 'sec-fetch-site': 'same-origin' } })).status).toBe(403)
    },
  )

  test('a page of the console changes what its user may, in old browsers too', async () => {
    const json = { 'content-type': 'application/json' }
    const own = [OWN, { ...json, origin: `http://${ownHost()}` }, { ...json, origin: ORIGIN }]
    for (const [at, headers] of own.entries()) {
      expect((await change(headers, `{"name":"Shop ${at}","currency":"EUR"}`)).status).toBe(200)
    }
  })

  test('other sites read nothing', async () => {
    const read = (headers: Readonly<Record<string, string>>) => ask('/accounts', { headers: { cookie, ...headers } })
    const sites = ['same-origin', 'none', 'cross-site', 'same-site']
    const statuses = await Promise.all(sites.map(async (site) => (await read({ 'sec-fetch-site': site })).status))
    expect(statuses).toEqual([200, 200, 403, 403])
    expect((await read({ origin: 'http://evil.example' })).status).toBe(403)
    const { status, headers } = await read({})
    expect([status, headers['access-control-allow-origin']]).toEqual([200, undefined])
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    })
  })

  test('a token in the header counts instead, and needs no page', async () => {
    const authorization = `Bearer ${world.adminToken}`
    const me = await ask('/me', { headers: { cookie, authorization, 'sec-fetch-site': 'cross-site' } })
    expect(JSON.parse(me.body)).toMatchObject({ user: 'sandbox', expires_at: null, proved_until: null })
  })

  test('what needs a proof asks for it as with a token', async () => {
    world.clock.advance(601_000)
    const answer = await ask('/users', {
      method: 'POST',
      headers: { cookie, ...OWN },
      body: '{"user":"b","role":"support"}',
    })
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      401,
      'Bearer error="insufficient_user_authentication", max_age="600"',
    ])
    world.clock.advance(30_000)
    const proof = JSON.stringify({ password: PASSWORD, code: code() })
    expect((await ask('/session/proof', { method: 'POST', headers: { cookie, ...OWN }, body: proof })).status).toBe(200)
  })
})

test('the admin port leads browsers to the console, which names the command that builds it', async () => {
  const { status, headers } = await plainRequest(world.gateway.adminAddress, '/')
  expect([status, headers.location]).toEqual([302, '/console/'])
  expect([200, 404]).toContain((await plainRequest(world.gateway.adminAddress, '/console/')).status)
})
