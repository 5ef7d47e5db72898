/** Passkeys: registered by a page of the gateway, then a login and a proof; and what does not pass for one. */
import { TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemRandom } from '../../src/app/system/system-random.ts'
import { makeSignInLink } from '../../src/operations/admin/session/sign-in-link.ts'
import { askAsConsole, type ConsoleReply, CONSOLE_ORIGIN as ORIGIN } from '../support/console-request.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { type Forgery, SoftwareAuthenticator } from '../support/software-authenticator.ts'

let world: SandboxWorld
let device: SoftwareAuthenticator
/** The cookie of anna's first session, by a sign-in link: she has nothing to prove with. */
let cookie: string
beforeEach(async () => {
  world = await SandboxWorld.start(undefined, undefined, { 'console-origin': ORIGIN })
  device = new SoftwareAuthenticator(ORIGIN)
  await world.askAdmin('POST', '/users', { body: { user: 'anna', role: 'owner' } })
  cookie = await signIn('anna')
})
afterEach(() => world.stop())

/** As a page of the console asks. */
function ask(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
  return askAsConsole(world, [method, path], { cookie, ...(body === undefined ? {} : { body }) }, headers)
}
/** Makes a link as the command line on this machine does. */
async function linkOf(user: string): Promise<string> {
  const { store } = world.gateway
  const { path } = await makeSignInLink({ store, clock: world.clock, random: systemRandom }, user)
  return path.replace(/^.*=/, '')
}
async function signIn(user: string): Promise<string> {
  const token = await linkOf(user)
  return (await ask('POST', '/session/link', { token, cookie: true }, { cookie: '' })).cookie
}
async function register(name = 'laptop', forgery: Forgery = {}): Promise<ConsoleReply> {
  const { body } = await ask('POST', '/me/passkeys/challenge')
  return ask('POST', '/me/passkeys', { name, credential: device.create(body.options, forgery) })
}
const challenge = async () => (await ask('POST', '/session/passkey/challenge', undefined, { cookie: '' })).body.options
const present = (credential: object) => ask('POST', '/session/passkey', { credential, cookie: true }, { cookie: '' })
const logIn = async (forgery: Forgery = {}) => present(device.get(await challenge(), forgery))

describe('a passkey', () => {
  test('is registered, then logs in by itself, and the session is proven', async () => {
    const { status, body } = await register()
    expect([status, body]).toEqual([200, { name: 'laptop', created_at: expect.any(String), last_used_at: null }])
    const login = await logIn()
    expect([login.status, login.body]).toEqual([200, { user: 'anna', expires_at: expect.any(String) }])
    const me = await ask('GET', '/me', undefined, { cookie: login.cookie })
    const until = new Date(world.clock.now() + 600_000).toISOString()
    expect(me.body).toMatchObject({ user: 'anna', passkeys: 1, password: false, proved_until: until })
    expect((await ask('GET', '/me/passkeys')).body.data).toEqual([
      { name: 'laptop', created_at: expect.any(String), last_used_at: new Date(world.clock.now()).toISOString() },
    ])
  })

  test('proves a session again, but only that of its user', async () => {
    await register()
    const login = await logIn()
    world.clock.advance(600_000)
    const change = () => ask('POST', '/users', { user: 'ben', role: 'owner' }, { cookie: login.cookie })
    expect((await change()).status).toBe(401)
    const prove = async (session: string) => {
      const { body } = await ask('POST', '/session/proof/passkey/challenge', undefined, { cookie: session })
      const credential = device.get(body.options)
      return ask('POST', '/session/proof/passkey', { credential }, { cookie: session })
    }
    expect((await prove(login.cookie)).body).toEqual({
      proved_until: new Date(world.clock.now() + 600_000).toISOString(),
    })
    expect((await change()).status).toBe(200)
    const bens = await signIn('ben')
    expect((await prove(bens)).status).toBe(422)
    const [annas, own] = [device, new SoftwareAuthenticator(ORIGIN)]
    cookie = bens
    device = own
    await register('phone')
    const bensLogin = await logIn()
    device = annas
    expect((await prove(bensLogin.cookie)).status).toBe(422)
    expect((await ask('GET', '/me', undefined, { cookie: bensLogin.cookie })).status).toBe(200)
  })

  test('has a name of its own, is renamed and removed; then it opens nothing, and other sessions have ended', async () => {
    await register()
    cookie = (await logIn()).cookie
    expect((await register('laptop')).body.detail).toContain('already')
    expect((await ask('PATCH', '/me/passkeys/laptop', { name: 'work laptop' })).status).toBe(204)
    const other = (await logIn()).cookie
    expect((await ask('DELETE', '/me/passkeys/work%20laptop')).status).toBe(204)
    expect((await logIn()).status).toBe(401)
    expect((await ask('GET', '/me', undefined, { cookie: other })).status).toBe(401)
    expect((await ask('GET', '/me')).body).toMatchObject({ passkeys: 0 })
  })

  test('is kept across restarts, and is in the audit log without its key', async () => {
    await register()
    await world.stopGateway()
    await world.startGateway()
    expect((await logIn()).status).toBe(200)
    const { passkeys } = await world.gateway.store.loadDirectory()
    const log = JSON.stringify((await world.askAdmin('GET', '/audit')).body)
    expect(log).toContain('passkey laptop of user anna')
    expect(log).not.toContain(passkeys[0]?.publicKey)
    const entry = (action: string) => ({ action, actor: 'anna', after: { address: '127.0.0.1' } })
    const { body } = await world.askAdmin('GET', '/audit?most=2&actor=anna')
    expect(body['data']).toMatchObject([entry('logInByPasskey'), entry('addPasskey')])
  })

  test('of a lost device is removed by an owner, with the sessions of its user', async () => {
    await register()
    const login = await logIn()
    const token = await linkOf('anna')
    expect((await world.askAdmin('DELETE', '/users/anna/passkeys')).status).toBe(204)
    expect((await ask('POST', '/session/link', { token }, { cookie: '' })).status).toBe(401)
    expect((await ask('GET', '/me', undefined, { cookie: login.cookie })).status).toBe(401)
    expect((await world.askAdmin('DELETE', '/users/anna/passkeys')).status).toBe(422)
  })

  test('of a disabled user opens nothing', async () => {
    await register()
    await world.askAdmin('PATCH', '/users/anna', { body: { state: 'disabled' } })
    expect((await logIn()).status).toBe(401)
  })
})

describe('no session is opened by', () => {
  beforeEach(() => register())

  test.each<[string, Forgery]>([
    ['an answer to another page', { origin: 'https://evil.example' }],
    ['a passkey of another site', { rpId: 'evil.example' }],
    ['an authenticator that has not verified its user', { flags: 0x01 }],
    ['an authenticator without its user', { flags: 0x04 }],
    ['a passkey that is not known', { id: 'AAAA' }],
    ['a challenge of the attacker', { challenge: 'AAAA' }],
  ])('%s', async (_what, forgery) => {
    expect(await logIn(forgery)).toMatchObject({ status: 401, cookie: '' })
  })

  test('an answer that was used, and one that comes too late', async () => {
    const answer = device.get(await challenge())
    expect((await present(answer)).status).toBe(200)
    expect((await present(answer)).status).toBe(401)
    const late = device.get(await challenge())
    world.clock.advance(300_000)
    expect((await present(late)).status).toBe(401)
  })

  test('a copy of the authenticator, whose counter falls behind', async () => {
    expect((await logIn({ counter: 7 })).status).toBe(200)
    expect((await logIn({ counter: 7 })).status).toBe(401)
    expect((await logIn({ counter: 8 })).status).toBe(200)
  })

  test('the challenge of a registration, or a signature that was changed', async () => {
    cookie = (await logIn()).cookie
    const { options } = (await ask('POST', '/me/passkeys/challenge')).body
    expect((await present(device.get({ ...options, rpId: options.rp.id }))).status).toBe(401)
    const answer = device.get(await challenge()) as { response: { signature: string } }
    const signature = `${answer.response.signature.slice(0, -4)}AAAA`
    expect((await present({ ...answer, response: { ...answer.response, signature } })).status).toBe(401)
  })

  test('an address that guesses has to wait in the end, and a successful login does not shorten its tries', async () => {
    for (let round = 0; round < 25; round += 1) expect((await logIn()).status).toBe(200)
    const statuses = new Set<number>()
    for (let round = 0; round < 25; round += 1) {
      statuses.add((await ask('POST', '/session/passkey/challenge', undefined, { cookie: '' })).status)
    }
    expect([...statuses]).toEqual([200, 429])
  })

  test.each<[string, Readonly<Record<string, string>>, number]>([
    ['a page of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of another origin on the same site', { 'sec-fetch-site': 'same-site' }, 403],
    ['a page in a sandbox', { origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['another name', { host: 'evil.example', origin: 'https://evil.example' }, 403],
  ])('%s, nor do its requests count as attempts of the browser’s address', async (_what, page, refused) => {
    const ask30 = async (path: string, body?: object) => {
      const statuses = new Set<number>()
      for (let round = 0; round < 30; round += 1) {
        statuses.add((await ask('POST', path, body, { cookie: '', ...page })).status)
      }
      return [...statuses]
    }
    expect(await ask30('/session/passkey/challenge')).toEqual([refused])
    expect(await ask30('/session', { user: 'anna', password: 'guessed', code: '123456' })).toEqual([refused])
    expect(await ask30('/session/link', { token: 'guessed' })).toEqual([refused])
    expect((await logIn()).status).toBe(200)
  })

  test('a program, which is refused before its attempts count', async () => {
    const program = () => world.askAdmin('POST', '/session/passkey/challenge')
    for (let round = 0; round < 30; round += 1) expect((await program()).status).toBe(422)
    expect((await logIn()).status).toBe(200)
  })

  test('a page of another site that has a challenge', async () => {
    const credential = device.get(await challenge())
    const evil = { cookie: '', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await ask('POST', '/session/passkey', { credential, cookie: true }, evil)).status).toBe(403)
  })
})

describe('no passkey is registered', () => {
  test.each<[string, Forgery]>([
    ['by a page of another origin', { origin: 'https://evil.example' }],
    ['for another site', { rpId: 'evil.example' }],
    ['without verification of the user', { flags: 0x01 }],
    ['with a challenge of its own', { challenge: 'AAAA' }],
    [
      'with certificates, which could name hosts to ask',
      { attestation: { fmt: 'packed', attStmt: new Map([['x5c', [Buffer.from('certificate')]]]) } },
    ],
  ])('%s', async (_what, forgery) => {
    expect((await register('laptop', forgery)).status).toBe(422)
    expect((await ask('GET', '/me/passkeys')).body.data).toEqual([])
  })

  test('by a program, by an IP address, or with the challenge of another user', async () => {
    expect((await world.askAdmin('POST', '/me/passkeys/challenge')).status).toBe(422)
    const bare = new URL(world.gateway.adminAddress)
    const byAddress = { host: bare.host, origin: bare.origin, authorization: `Bearer ${world.adminToken}` }
    const answer = await ask('POST', '/me/passkeys/challenge', undefined, byAddress)
    expect([answer.status, answer.body.detail]).toEqual([422, expect.stringContaining('host name')])
    await world.askAdmin('POST', '/users', { body: { user: 'ben', role: 'owner' } })
    const { options } = (await ask('POST', '/me/passkeys/challenge')).body
    cookie = await signIn('ben')
    const credential = device.create(options)
    expect((await ask('POST', '/me/passkeys', { name: 'phone', credential })).status).toBe(422)
  })

  test('with a stolen session or token of a user who has one', async () => {
    await register()
    world.clock.advance(600_000)
    expect((await ask('POST', '/me/passkeys/challenge')).status).toBe(401)
    const { body } = await world.askAdmin('POST', '/users/anna/tokens', { body: { label: 'stolen' } })
    const token = { cookie: '', authorization: `Bearer ${body['token']}` }
    expect((await ask('POST', '/me/passkeys/challenge', undefined, token)).status).toBe(422)
    expect((await ask('PUT', '/me/password', { password: 'a password of a thief' }, token)).status).toBe(422)
    expect((await ask('DELETE', '/users/anna/passkeys', undefined, token)).status).toBe(422)
    cookie = (await logIn()).cookie
    world.clock.advance(600_000)
    expect((await ask('POST', '/me/passkeys/challenge')).status).toBe(401)
    expect((await ask('PUT', '/me/password', { password: 'a password of a thief' })).status).toBe(401)
    expect((await ask('DELETE', '/me/passkeys/laptop')).status).toBe(401)
    expect((await ask('DELETE', '/users/anna/passkeys')).status).toBe(401)
  })
})

test('a user with password and codes adds a passkey with a fresh login only', async () => {
  const secret = (await ask('POST', '/me/codes')).body.secret as string
  const code = () => new TOTP({ secret }).generate({ timestamp: world.clock.now() })
  const password = 'correct horse battery'
  await ask('PUT', '/me/password', { password })
  await ask('PUT', '/me/codes', { secret, code: code(), current_password: password })
  world.clock.advance(600_000)
  expect((await ask('POST', '/me/passkeys/challenge')).status).toBe(401)
  cookie = (await ask('POST', '/session', { user: 'anna', password, code: code(), cookie: true }, { cookie: '' }))
    .cookie
  expect((await register()).status).toBe(200)
})
