/** What a stolen session or token cannot do: take over its user, or change money, secrets and roles much later. */
import { TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/operations/admin/endpoints.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const PASSWORD = 'correct horse battery'
const STOLEN = 'a password of a thief'

const SMS = { type: 'sms', phone: '491701800100', sms_signature: 'SMSTest', sms_message: 'Hello' }

let world: SandboxWorld
let secret: string
/** Of the owner anna, as the sandbox's owner issued it. */
let first: string
beforeEach(async () => {
  world = await SandboxWorld.start()
  await world.askAdmin('POST', '/users', { body: { user: 'anna', role: 'owner' } })
  first = await issued('first')
  secret = String((await world.askAdmin('POST', '/me/codes', { token: first })).body['secret'])
  await world.askAdmin('PUT', '/me/codes', { token: first, body: { secret, code: code() } })
  const current_code = await freshCode()
  await world.askAdmin('PUT', '/me/password', { token: first, body: { password: PASSWORD, current_code } })
})
afterEach(() => world.stop())

const code = () => new TOTP({ secret }).generate({ timestamp: world.clock.now() })
/** Each is taken once. */
async function freshCode(): Promise<string> {
  world.clock.advance(30_000)
  return code()
}
async function issued(label: string): Promise<string> {
  return String((await world.askAdmin('POST', '/users/anna/tokens', { body: { label } })).body['token'])
}
async function logIn(): Promise<string> {
  const { body } = await world.askAdmin('POST', '/session', {
    body: { user: 'anna', password: PASSWORD, code: await freshCode() },
  })
  return String(body['token'])
}
const isValid = async (token: string) => (await world.askAdmin('GET', '/me', { token })).status === 200

test('a request without a body may say that it is JSON', async () => {
  const headers = { 'content-type': 'application/json' }
  const session = await logIn()
  expect(await isValid(session)).toBe(true)
  expect((await world.askAdmin('POST', '/me/codes', { token: session, headers })).status).toBe(200)
  const empty = await world.askAdmin('POST', '/session/proof', { token: session, headers })
  expect(empty).toMatchObject({ status: 400, body: { errors: [{ field: 'password' }, { field: 'code' }] } })
  expect((await world.askAdmin('DELETE', '/session', { token: session, headers })).status).toBe(204)
  expect(await isValid(session)).toBe(false)
})

describe('a password or codes', () => {
  test.each(['a session', 'a token'])('are not changed by %s without those that are set', async (which) => {
    const token = which === 'a session' ? await logIn() : first
    const { status, body } = await world.askAdmin('PUT', '/me/password', { token, body: { password: STOLEN } })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'current_password' }, { field: 'current_code' }] },
    })
    const wrong = { password: STOLEN, current_password: STOLEN, current_code: await freshCode() }
    expect((await world.askAdmin('PUT', '/me/password', { token, body: wrong })).status).toBe(422)
    const other = String((await world.askAdmin('POST', '/me/codes', { token })).body['secret'])
    const codes = { secret: other, code: new TOTP({ secret: other }).generate({ timestamp: world.clock.now() }) }
    expect((await world.askAdmin('PUT', '/me/codes', { token, body: codes })).status).toBe(400)
    const guessed = { ...codes, current_password: PASSWORD, current_code: '000000' }
    expect((await world.askAdmin('PUT', '/me/codes', { token, body: guessed })).status).toBe(422)
    expect(await isValid(await logIn())).toBe(true)
  })

  test('that are changed end every other session and token of the user, and no other user’s', async () => {
    const [here, elsewhere] = [await logIn(), await logIn()]
    const body = { password: 'another horse battery', current_password: PASSWORD, current_code: await freshCode() }
    expect((await world.askAdmin('PUT', '/me/password', { token: here, body })).status).toBe(204)
    expect([await isValid(here), await isValid(elsewhere), await isValid(first)]).toEqual([true, false, false])
    expect(await isValid(world.adminToken)).toBe(true)
    const audit = await world.askAdmin('GET', '/audit?most=1')
    expect(audit.body['data']).toMatchObject([
      {
        actor: 'anna',
        action: 'setPassword',
        after: { secrets_changed: true, tokens_ended: expect.arrayContaining(['first']) },
      },
    ])
  })

  test('that an owner takes away end every session and token of the user', async () => {
    const session = await logIn()
    expect((await world.askAdmin('DELETE', '/users/anna/codes')).status).toBe(204)
    expect([await isValid(session), await isValid(first)]).toEqual([false, false])
  })
})

describe('a proof', () => {
  const prove = async (token: string, password = PASSWORD) =>
    (await world.askAdmin('POST', '/session/proof', { token, body: { password, code: await freshCode() } })).status

  test('waits for no failed logins of an attacker, and a wrong one does not end its session', async () => {
    const token = await logIn()
    const strange = { user: 'anna', password: STOLEN, code: '000000' }
    const login = async () => (await world.askAdmin('POST', '/session', { body: strange })).status
    expect([await login(), await login(), await login(), await login(), await login(), await login()]).toEqual([
      ...[401, 401, 401, 401, 401, 429],
    ])
    expect([await prove(token, STOLEN), await prove(token)]).toEqual([422, 200])
    expect(await isValid(token)).toBe(true)
  })

  test('of a stolen session has to wait after some failures, while the user proves another one', async () => {
    const [own, stolen] = [await logIn(), await logIn()]
    for (let failures = 0; failures < 5; failures += 1) expect(await prove(stolen, STOLEN)).toBe(422)
    expect([await prove(stolen), await prove(own), await isValid(stolen)]).toEqual([429, 200, true])
  })
})

describe('one’s own codes, without which nothing asks for a proof', () => {
  const codes = '/users/anna/codes'
  const hasCodes = async () => (await world.askAdmin('GET', '/me', { token: first })).body['codes']

  test('are not removed by a session whose proof is too old, until it proves again', async () => {
    const token = await logIn()
    world.clock.advance(600_000)
    const refused = await world.askAdmin('DELETE', codes, { token })
    expect(refused).toMatchObject({ status: 401, body: { detail: expect.stringContaining('/session/proof') } })
    expect(await hasCodes()).toBe(true)
    await world.askAdmin('POST', '/session/proof', { token, body: { password: PASSWORD, code: await freshCode() } })
    expect((await world.askAdmin('DELETE', codes, { token })).status).toBe(204)
    expect((await world.askAdmin('GET', '/me', { token })).body['codes']).toBe(false)
  })

  test('are not removed by an issued token, nor does it make a sign-in link, which would open a proven session', async () => {
    const refused = { status: 422, body: { detail: expect.stringContaining('log in') } }
    expect(await world.askAdmin('DELETE', codes, { token: first })).toMatchObject(refused)
    expect(await world.askAdmin('POST', '/users/anna/sign-in-links', { token: first })).toMatchObject(refused)
    expect(await hasCodes()).toBe(true)
    const token = await logIn()
    expect((await world.askAdmin('POST', '/users/anna/sign-in-links', { token })).status).toBe(200)
  })

  test('protect the password that a user has not set yet', async () => {
    await world.askAdmin('POST', '/users', { body: { user: 'ben', role: 'owner' } })
    const issuedToken = await world.askAdmin('POST', '/users/ben/tokens', { body: { label: 'l' } })
    const token = String(issuedToken.body['token'])
    secret = String((await world.askAdmin('POST', '/me/codes', { token })).body['secret'])
    await world.askAdmin('PUT', '/me/codes', { token, body: { secret, code: code() } })
    expect((await world.askAdmin('DELETE', '/users/ben/codes', { token })).status).toBe(422)
    expect((await world.askAdmin('DELETE', '/users/ben/codes')).status).toBe(204)
  })
})

describe('a session, ten minutes after password and code were proven', () => {
  const account = '/accounts/1'
  const sensitive: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['POST', `${account}/top-ups`, { amount: 5 }],
    ['POST', `${account}/corrections`, { amount: 5, note: 'x' }],
    ['PUT', `${account}/credit-limit`, { credit_limit: 5 }],
    ['PUT', '/prices', { channel: 'sms', currency: 'EUR', prefix: '1', price: 1 }],
    [
      'PUT',
      '/tariff',
      { currency: 'EUR', csv: 'channel,prefix,operator,from,until,price\nsms,,,,,0\n', confirm: true },
    ],
    ['PUT', '/configuration', { configuration: { prices: [] } }],
    ['PUT', '/configuration', { configuration: { prices: [] }, dry_run: true }],
    ['POST', '/users', { user: 'eve', role: 'owner' }],
    ['PATCH', '/users/anna', { role: 'auditor' }],
    ['POST', '/users/anna/tokens', { label: 'kept' }],
    ['DELETE', '/users/sandbox/codes'],
    ['POST', `${account}/keys`, { name: 'kept' }],
    ['POST', `${account}/hook-secret`, {}],
    ['PATCH', account, { default_hook: 'https://evil.example/' }],
    ['PATCH', account, { report_steps: true, allowed_networks: ['203.0.113.0/24'] }],
    ['POST', `${account}/closing`, { name: 'Sandbox' }],
    ['POST', `${account}/messages`, { message: SMS, test: false }],
    [
      'PUT',
      '/carriers/evil',
      { kind: 'smpp', settings: { host: 'evil.example', port: 1, systemId: 'x', password: 'x' } },
    ],
  ]

  test('changes no money, secrets or roles until they are proven again', async () => {
    const token = await logIn()
    world.clock.advance(600_000)
    const revision = (await world.gateway.store.loadDirectory()).revision
    for (const [method, path, body] of sensitive) {
      const { status, body: answer } = await world.askAdmin(method, path, {
        token,
        ...(body === undefined ? {} : { body }),
      })
      expect([method, path, status]).toEqual([method, path, 401])
      expect(answer['detail']).toContain('POST /admin/v1/session/proof')
    }
    expect((await world.gateway.store.loadDirectory()).revision).toBe(revision)
    expect((await world.askAdmin('PATCH', account, { token, body: { report_steps: true } })).status).toBe(200)

    const wrong = { password: STOLEN, code: await freshCode() }
    expect((await world.askAdmin('POST', '/session/proof', { token, body: wrong })).status).toBe(422)
    const right = { password: PASSWORD, code: await freshCode() }
    const proven = await world.askAdmin('POST', '/session/proof', { token, body: right })
    expect(proven).toMatchObject({
      status: 200,
      body: { proved_until: new Date(world.clock.now() + 600_000).toISOString() },
    })
    const [method, path, body] = sensitive[0] ?? ['', '']
    expect((await world.askAdmin(method, path, { token, body })).status).toBe(200)
  })

  test('may still log out', async () => {
    const token = await logIn()
    world.clock.advance(600_000)
    expect((await world.askAdmin('DELETE', '/session', { token })).status).toBe(204)
  })

  test('gets the challenge header (RFC 9470); issued tokens need no proof', async () => {
    const token = await logIn()
    world.clock.advance(600_000)
    const response = await fetch(`${world.gateway.adminAddress}/admin/v1${account}/top-ups`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 5 }),
    })
    await response.body?.cancel()
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_user_authentication", max_age="600"',
    )
    const issuedToken = await issued('program')
    expect(
      (await world.askAdmin('POST', `${account}/top-ups`, { token: issuedToken, body: { amount: 5 } })).status,
    ).toBe(200)
  })
})

describe('what holds secrets', () => {
  test('is marked in the table of endpoints', () => {
    const secrets = /password|code$|^secret$|settings|configuration/
    for (const { name, method, body } of ENDPOINTS) {
      if (method === 'GET') continue
      for (const [field, schema] of Object.entries(body.properties)) {
        if (secrets.test(field)) expect([name, field, 'writeOnly' in schema]).toEqual([name, field, true])
      }
    }
  })

  test('is kept under no Idempotency-Key: neither a hash nor an answer', async () => {
    const headers = { 'idempotency-key': 'k-1' }
    const body = { user: 'anna', password: PASSWORD, code: await freshCode() }
    const login = await world.askAdmin('POST', '/session', { body, headers })
    expect(login.status).toBe(200)
    expect((await world.askAdmin('POST', '/session', { body, headers })).status).toBe(401)
    const { store } = world.gateway
    expect(await store.findRequest('unknown', 'k-1')).toBeNull()

    const change = { password: 'another horse battery', current_password: PASSWORD, current_code: await freshCode() }
    const token = String(login.body['token'])
    expect((await world.askAdmin('PUT', '/me/password', { token, body: change, headers })).status).toBe(204)
    expect((await world.askAdmin('PUT', '/me/password', { token, body: change, headers })).status).toBe(422)
    const configuration = { body: { configuration: { numbers: [{ list: 'deny', digits: '881' }] } }, token, headers }
    expect((await world.askAdmin('PUT', '/configuration', configuration)).status).toBe(200)
    expect(await store.findRequest('anna', 'k-1')).toBeNull()
  })
})
