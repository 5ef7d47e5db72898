/** Logging in with a password and a one-time code: both are required, each code works once, and sessions expire. */
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { networkOf } from '../../src/operations/admin/session/login-attempt.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const PASSWORD = 'correct horse battery'
const FORGOTTEN_MS = 2 * 3_600_000

let world: SandboxWorld
let user: string
let token: string
let secret: string
let users = 0
beforeAll(async () => {
  world = await SandboxWorld.start()
})
/** A user of its own for each test, which has a token and no secrets yet. */
beforeEach(async () => {
  // Every failure of the test before is forgotten.
  world.clock.advance(FORGOTTEN_MS)
  users += 1
  user = `anna${users}`
  await world.askAdmin('POST', '/users', { body: { user, role: 'finance' } })
  const { body } = await world.askAdmin('POST', `/users/${user}/tokens`, { body: { label: 'first' } })
  token = String(body['token'])
  secret = String((await world.askAdmin('POST', '/me/codes', { token })).body['secret'])
})
afterAll(() => world.stop())

const codeAt = (time: number) => new TOTP({ secret }).generate({ timestamp: time })
const logIn = (change: object = {}) =>
  world.askAdmin('POST', '/session', {
    body: { user, password: PASSWORD, code: codeAt(world.clock.now()), ...change },
  })
/** Sets the password and, by a code, the secret of codes. */
async function setSecrets(): Promise<void> {
  await world.askAdmin('PUT', '/me/password', { token, body: { password: PASSWORD } })
  const code = codeAt(world.clock.now())
  const set = { secret, code, current_password: PASSWORD }
  expect((await world.askAdmin('PUT', '/me/codes', { token, body: set })).status).toBe(204)
}
/** The same, until the next code is valid. */
async function setSecretsAndWait(): Promise<void> {
  await setSecrets()
  await world.pass(30)
}

test('a user with a token sets password and codes, codes only with a proof', async () => {
  expect((await world.askAdmin('PUT', '/me/password', { token, body: { password: 'short' } })).status).toBe(422)
  expect((await world.askAdmin('PUT', '/me/password', { token, body: { password: PASSWORD } })).status).toBe(204)
  expect((await logIn()).status).toBe(401)
  const current = { current_password: PASSWORD }
  const wrong = { secret, code: '000000', ...current }
  expect((await world.askAdmin('PUT', '/me/codes', { token, body: wrong })).status).toBe(422)
  const code = codeAt(world.clock.now())
  expect((await world.askAdmin('PUT', '/me/codes', { token, body: { secret, code, ...current } })).status).toBe(204)
  const { body } = await world.askAdmin('GET', '/users')
  expect(body['data']).toContainEqual({
    user,
    role: 'finance',
    account: null,
    state: 'active',
    subject: null,
    password: true,
    codes: true,
  })
})

test('the code that proved the secret opens no session', async () => {
  await setSecrets()
  expect((await logIn()).status).toBe(401)
})

test('password and code give a token that expires or ends by logging out; a code works once', async () => {
  await setSecretsAndWait()
  const { status, body } = await logIn()
  expect({ status, body }).toMatchObject({ status: 200, body: { user } })
  const session = String(body['token'])
  expect((await world.askAdmin('GET', '/me', { token: session })).body).toEqual({
    ...{
      user,
      role: 'finance',
      account: null,
      password: true,
      codes: true,
      sso: false,
      passkeys: 0,
      client_api: world.gateway.address,
      client_apis: ['json', 'rest'],
      smpp_port: null,
    },
    expires_at: body['expires_at'],
    proved_until: new Date(world.clock.now() + 600_000).toISOString(),
  })
  expect((await logIn()).status).toBe(401)
  await world.pass(30)
  const second = String((await logIn()).body['token'])
  expect((await world.askAdmin('DELETE', '/session', { token: second })).status).toBe(204)
  expect((await world.askAdmin('GET', '/me', { token: second })).status).toBe(401)
  expect((await world.askAdmin('GET', '/me', { token: session })).status).toBe(200)
  // At once: nothing is sent here, so what carriers do in twelve hours does not matter.
  world.clock.advance(12 * 3_600_000)
  expect((await world.askAdmin('GET', '/me', { token: session })).status).toBe(401)
})

test('does not reveal what was wrong, and requires a wait after a few failures', async () => {
  await setSecretsAndWait()
  const wrong = [
    await logIn({ password: 'wrong horse battery' }),
    await logIn({ code: '123456' }),
    await logIn({ user: 'unknown' }),
    await logIn({ code: codeAt(world.clock.now() - 300_000) }),
  ]
  expect(wrong.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  expect(new Set(wrong.map(({ body }) => body['detail'])).size).toBe(1)
  for (let count = 0; count < 3; count += 1) await logIn({ password: 'wrong horse battery' })
  const { status, body } = await logIn()
  expect({ status, body }).toMatchObject({ status: 429, body: { detail: expect.stringContaining('seconds') } })
  await world.pass(600)
  expect((await logIn()).status).toBe(200)
})

test('failures are logged and stand in the audit log, without what was typed', async () => {
  await setSecretsAndWait()
  const typed = 'my password, typed into the wrong field'
  await logIn({ user: typed })
  await logIn({ password: 'wrong horse battery' })
  const { body } = await world.askAdmin('GET', '/audit?most=2')
  const [known, unknown] = body['data'] as readonly object[]
  const failed = { action: 'logIn', after: { failed: true, address: '127.0.0.1' } }
  expect(known).toMatchObject({ ...failed, actor: user, subject: `login of user ${user}` })
  expect(unknown).toMatchObject({ ...failed, actor: 'anonymous', subject: 'login of an unknown user' })
  const lines = world.log.lines.filter(({ line }) => line === 'login failed')
  expect(lines.at(-1)).toMatchObject({ level: 'warn', fields: { user, address: '127.0.0.1' } })
  expect(lines.at(-2)).toMatchObject({ fields: { user: null, address: '127.0.0.1' } })
  expect(JSON.stringify([lines, (await world.askAdmin('GET', '/audit?most=1000')).body])).not.toContain('typed')
})

test('logins, proofs and logouts stand in the audit log under the user, with the address', async () => {
  await setSecretsAndWait()
  const session = String((await logIn()).body['token'])
  await world.pass(60)
  const proof = { password: PASSWORD, code: codeAt(world.clock.now()) }
  expect((await world.askAdmin('POST', '/session/proof', { token: session, body: proof })).status).toBe(200)
  expect((await world.askAdmin('DELETE', '/session', { token: session })).status).toBe(204)
  const { body } = await world.askAdmin('GET', '/audit?most=3')
  const entry = (action: string) => ({ action, actor: user, after: { address: '127.0.0.1' } })
  expect(body['data']).toMatchObject(['logOut', 'proveSession', 'logIn'].map(entry))
})

test('neither a restart nor unknown names end a wait or lock out other users', async () => {
  await setSecretsAndWait()
  for (let count = 0; count < 5; count += 1) await logIn({ password: 'wrong horse battery' })
  // The longest wait: connecting to the carriers after the restart takes some of the clock's minutes too.
  for (const waitedSeconds of [60, 120, 240, 480]) {
    expect((await logIn()).status).toBe(429)
    world.clock.advance(waitedSeconds * 1_000)
    expect((await logIn({ password: 'wrong horse battery' })).status).toBe(401)
  }
  expect((await logIn()).status).toBe(429)
  await world.stopGateway()
  await world.startGateway()
  expect((await logIn()).status).toBe(429)
  for (let count = 0; count < 10; count += 1) await logIn({ user: `unknown ${count}` })
  await world.pass(900)
  expect((await logIn()).status).toBe(200)
})

test('a user whose codes were removed and a disabled user cannot log in', async () => {
  await setSecretsAndWait()
  expect((await logIn()).status).toBe(200)
  await world.pass(60)
  await world.askAdmin('PATCH', `/users/${user}`, { body: { state: 'disabled' } })
  expect((await logIn()).status).toBe(401)
  await world.askAdmin('PATCH', `/users/${user}`, { body: { state: 'active' } })
  expect((await world.askAdmin('DELETE', `/users/${user}/codes`)).status).toBe(204)
  expect((await logIn()).status).toBe(401)
})

test('the audit log has no password, hash, secret or code', async () => {
  await setSecretsAndWait()
  await logIn()
  const text = JSON.stringify((await world.askAdmin('GET', '/audit?most=1000')).body)
  expect(text).toContain('secrets_changed')
  for (const private_ of [PASSWORD, secret, 'scrypt$', token]) expect(text).not.toContain(private_)
})

test('one address has to wait after twenty failures with any user names', async () => {
  await using other = await SandboxWorld.start()
  const tryName = async (name: string) => {
    const body = { user: name, password: PASSWORD, code: '123456' }
    return (await other.askAdmin('POST', '/session', { body })).status
  }
  const tried: number[] = []
  for (let count = 1; count <= 21; count += 1) tried.push(await tryName(`name ${count}`))
  expect(tried).toEqual([...Array.from({ length: 20 }, () => 401), 429])
  other.clock.advance(60_000)
  expect(await tryName('name 22')).toBe(401)
})

test.each([
  ['2001:db8:0:1::1', '2001:db8:0:fe::2', true],
  ['2001:db8:0:1::1', '2001:db8:0:100::1', false],
  ['203.0.113.7', '::ffff:203.0.113.7', true],
  ['203.0.113.7', '203.0.113.8', false],
])('%s and %s are one network: %s', (one, other, isOne) => {
  expect(networkOf(one) === networkOf(other)).toBe(isOne)
})
