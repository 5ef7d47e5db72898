/** Users of an account log in to the admin API: who adds them, what ends their access, what they cannot become. */
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ClientAccount } from '../support/client-account.ts'
import { CommandLine } from '../support/command-line.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
let client: ClientAccount
let other: ClientAccount
let many: ClientAccount
/** One test closes it. */
let closed: ClientAccount
beforeAll(async () => {
  world = await SandboxWorld.start()
  client = await ClientAccount.create(world, 'wren')
  other = await ClientAccount.create(world, 'magpie')
  many = await ClientAccount.create(world, 'heron')
  closed = await ClientAccount.create(world, 'robin')
})
beforeEach(() => {
  // The requests of the test before count no more towards those of a second.
  world.clock.advance(1_000)
})
afterAll(() => world.stop())

const admin = (method: string, path: string, body?: object) => client.ask('client-admin', method, path, body)
const PASSWORD = 'correct horse battery'

/** Sets password and codes with a token of the user, and returns what logs in. */
async function setUpLogin(user: string, token: string): Promise<() => Promise<object>> {
  const secret = String((await world.askAdmin('POST', '/me/codes', { token })).body['secret'])
  const code = () => new TOTP({ secret }).generate({ timestamp: world.clock.now() })
  await world.askAdmin('PUT', '/me/codes', { token, body: { secret, code: code() } })
  world.clock.advance(30_000)
  const body = { password: PASSWORD, current_code: code() }
  expect((await world.askAdmin('PUT', '/me/password', { token, body })).status).toBe(204)
  return async () => {
    world.clock.advance(30_000)
    return { user, password: PASSWORD, code: code() }
  }
}

describe('a client-admin', () => {
  test('gives keys and logins no priority above notices, and leaves them what the operator gave', async () => {
    const path = `/accounts/${client.id}`
    const refused = { status: 422, body: { detail: 'priority: only the operator gives codes priority over notices' } }
    expect(await admin('POST', `${path}/keys`, { name: 'codes', priority: 'otp' })).toMatchObject(refused)
    expect(await admin('PATCH', `${path}/keys/old`, { priority: 'otp' })).toMatchObject(refused)
    expect(await admin('POST', `${path}/logins`, { name: 'codes', priority: 'otp' })).toMatchObject(refused)
    expect(await admin('PATCH', `${path}/keys/old`, { priority: 'bulk' })).toMatchObject({ body: { priority: 'bulk' } })
    expect(await admin('PATCH', `${path}/keys/old`, { priority: null })).toMatchObject({ body: { priority: null } })
    await world.askAdmin('PATCH', `${path}/keys/old`, { body: { priority: 'otp' } })
    const rotated = await admin('POST', `${path}/keys/old/rotation`, {})
    expect(rotated).toMatchObject({ body: { priority: 'otp' } })
    expect(await admin('PATCH', `${path}/keys/old`, { scopes: ['send'] })).toMatchObject({ body: { priority: 'otp' } })
    await world.askAdmin('PATCH', `${path}/keys/old`, { body: { priority: null } })
  })

  test('adds users to the account, whose names end in its number, and issues their tokens', async () => {
    const added = await admin('POST', '/users', { user: 'ben', role: 'client-reader' })
    expect(added.body).toMatchObject({ user: `ben@${client.id}`, role: 'client-reader', account: client.id })
    const { body } = await admin('POST', `/users/ben@${client.id}/tokens`, { label: 'phone' })
    const me = await world.askAdmin('GET', '/me', { token: String(body['token']) })
    expect(me.body).toMatchObject({ user: `ben@${client.id}`, role: 'client-reader', account: client.id })
    expect(await admin('POST', '/users', { user: 'ben', role: 'client-admin' })).toMatchObject({
      status: 422,
      body: { detail: `user ben@${client.id} exists already` },
    })
    const listed = (await admin('GET', '/users')).body['data'] as readonly { readonly account: number }[]
    expect(new Set(listed.map(({ account }) => account))).toEqual(new Set([client.id]))
  })

  test('learns nothing about the users of others from a name', async () => {
    const { status, body } = await admin('POST', '/users', { user: 'sandbox', role: 'client-reader' })
    expect({ status, body }).toMatchObject({ status: 200, body: { user: `sandbox@${client.id}` } })
    const name = await admin('POST', '/users', { user: other.spare, role: 'client-reader' })
    expect(name.body).toMatchObject({ user: `${other.spare}@${client.id}` })
  })

  test('makes no user an operator, and moves none to another account', async () => {
    for (const role of ['owner', 'operator', 'auditor']) {
      const added = await admin('POST', '/users', { user: `eve-${role}`, role })
      expect(added).toMatchObject({ status: 422, body: { detail: `a user of an account cannot be ${role}` } })
      expect((await admin('PATCH', `/users/${client.spare}`, { role })).status).toBe(422)
    }
    expect((await admin('POST', '/users', { user: 'eve', role: 'client-admin', account: other.id })).status).toBe(404)
    expect((await admin('POST', '/users/sandbox/tokens', { label: 'stolen' })).status).toBe(404)
    expect((await admin('PATCH', '/users/sandbox', { state: 'disabled' })).status).toBe(404)
    expect((await admin('DELETE', '/users/sandbox/codes')).status).toBe(404)
  })

  test('disables a user, whose tokens are refused from then on', async () => {
    const { body } = await admin('POST', `/users/${client.idle}/tokens`, { label: 'phone' })
    const token = String(body['token'])
    expect((await world.askAdmin('GET', '/me', { token })).status).toBe(200)
    expect((await admin('PATCH', `/users/${client.idle}`, { state: 'disabled' })).status).toBe(200)
    expect((await world.askAdmin('GET', '/me', { token })).status).toBe(401)
  })

  test('does not take back the approval of a sender by requesting it again', async () => {
    const wanted = { channel: 'sms', name: 'SMSTest' }
    expect((await admin('POST', '/senders/request', wanted)).status).toBe(422)
    const { body } = await admin('POST', '/senders/request', { channel: 'sms', name: 'WrenShop' })
    expect(body).toMatchObject({ account: client.id, state: 'requested' })
  })

  test('proves password and code again for keys and users, as operators do', async () => {
    const { body } = await admin('POST', '/users', { user: 'ada', role: 'client-admin' })
    const user = String(body['user'])
    const issued = await admin('POST', `/users/${user}/tokens`, { label: 'first' })
    const login = await setUpLogin(user, String(issued.body['token']))
    const session = await world.askAdmin('POST', '/session', { body: await login() })
    const token = String(session.body['token'])
    const issueKey = (name: string) => world.askAdmin('POST', `/accounts/${client.id}/keys`, { token, body: { name } })
    expect((await issueKey('first')).status).toBe(200)
    world.clock.advance(600_000)
    expect((await issueKey('second')).status).toBe(401)
    const addUser = { user: 'late', role: 'client-admin' }
    expect((await world.askAdmin('POST', '/users', { token, body: addUser })).status).toBe(401)
    const { user: _, ...proof } = (await login()) as { readonly user: string }
    expect((await world.askAdmin('POST', '/session/proof', { token, body: proof })).status).toBe(200)
    expect((await issueKey('second')).status).toBe(200)
  })
})

test('the audit log shows what users of the account have changed, and nothing of operators', async () => {
  await admin('POST', '/users', { user: 'traced', role: 'client-reader' })
  const { body } = await client.ask('client-reader', 'GET', '/audit')
  const entries = body['data'] as readonly { readonly actor: string }[]
  const added = { actor: `client-admin-wren@${client.id}`, action: 'addUser', subject: `user traced@${client.id}` }
  expect(entries[0]).toEqual({ at: expect.any(String), via: 'admin API', ...added })
  expect(entries.filter(({ actor }) => !actor.endsWith(`@${client.id}`))).toEqual([])
  const whole = await world.askAdmin('GET', `/audit?account=${client.id}`)
  expect(whole.body).toMatchObject({ data: [{ ...added, after: { account: client.id } }, ...entries.slice(1)] })
  expect((await client.ask('client-reader', 'GET', '/audit?actor=sandbox')).body).toEqual({ data: [], next: null })
})

test('a user gets in by a sign-in link that a client-admin made', async () => {
  const { body } = await admin('POST', `/users/${client.spare}/sign-in-links`)
  const token = String(body['path']).replace(/^.*=/, '')
  const session = await world.askAdmin('POST', '/session/link', { body: { token } })
  expect(session).toMatchObject({ status: 200, body: { user: client.spare } })
  const me = await world.askAdmin('GET', '/me', { token: String(session.body['token']) })
  expect(me.body).toMatchObject({ user: client.spare, account: client.id })
})

test('a test report reaches the hook of the client, and the audit log says who sent it', async () => {
  const before = world.sink.calls.length
  const { status, body } = await admin('POST', `/accounts/${client.id}/client-hooks/${client.hook}/test`)
  expect({ status, body }).toMatchObject({ status: 200, body: { hook: client.hook } })
  await world.rest()
  const posted = world.sink.calls.slice(before).filter(({ path }) => path === '/hook/wren')
  expect(posted.map(({ headers }) => headers['webhook-id'])).toEqual([body['webhook_id']])
  const audit = (await admin('GET', '/audit?most=1')).body['data']
  const actor = `client-admin-wren@${client.id}`
  expect(audit).toMatchObject([
    { actor, action: 'testClientHook', subject: `hook ${client.hook} of account ${client.id}` },
  ])
  expect((await admin('POST', `/accounts/${client.id}/client-hooks/999/test`)).status).toBe(422)
})

test('the prices of an account are its own, and the general ones that those do not replace', async () => {
  const price = { currency: 'EUR', channel: 'sms', price: 0.06 }
  await world.askAdmin('PUT', '/prices', { body: { ...price, prefix: '49170' } })
  await world.askAdmin('PUT', '/prices', { body: { ...price, prefix: '4' } })
  await world.askAdmin('PUT', '/prices', { body: { ...price, account: other.id, prefix: '44' } })
  const { body } = await client.ask('client-reader', 'GET', `/accounts/${client.id}/prices?channel=sms`)
  const rows = body['data'] as readonly { readonly account: number | null; readonly prefix: string }[]
  expect(rows.map(({ account, prefix }) => [account, prefix])).toEqual([
    [client.id, '4917'],
    [null, ''],
    [null, '4'],
  ])
})

test('a user sees the money on hold of the account alone', async () => {
  const held = await client.ask('client-reader', 'GET', '/ledger/holds')
  expect(held.body).toEqual((await world.askAdmin('GET', `/ledger/holds?account=${client.id}`)).body)
  const { status } = await client.ask('client-reader', 'GET', `/ledger/holds?account=${other.id}`)
  expect(status).toBe(404)
})

test('an account adds a bounded number of keys, senders and tokens', async () => {
  const add = (path: string, body: object) => many.ask('client-admin', 'POST', path, body)
  const statuses = async (count: number, ask: (number: number) => Promise<{ readonly status: number }>) => {
    const seen: number[] = []
    for (let number = 0; number < count; number += 1) seen.push((await ask(number)).status)
    return seen
  }
  const keys = await statuses(99, (number) => add(`/accounts/${many.id}/keys`, { name: `key ${number}` }))
  expect([keys.filter((status) => status === 200).length, keys.at(-1)]).toEqual([98, 422])
  const request = (number: number) => add('/senders/request', { channel: 'sms', name: `Shop${number}` })
  const senders = await statuses(198, request)
  expect([senders.filter((status) => status === 200).length, senders.at(-1)]).toEqual([197, 422])
  expect((await request(0)).status).toBe(200)
  const tokens = await statuses(20, (number) => add(`/users/${many.spare}/tokens`, { label: `${number}` }))
  expect([tokens.filter((status) => status === 200).length, tokens.at(-1)]).toEqual([19, 422])
  const asSession = await add(`/users/${many.idle}/tokens`, { label: 'session 0000000003e8' })
  expect(asSession).toMatchObject({ status: 422, body: { detail: expect.stringContaining('for sessions') } })
})

test('an account makes fifty requests in a second, and other accounts are not slowed down', async () => {
  world.clock.advance(1_000)
  const token = client.tokens['client-reader']
  const asked = await Promise.all(Array.from({ length: 51 }, () => world.askAdmin('GET', '/me', { token })))
  expect(asked.filter(({ status }) => status === 429)).toHaveLength(1)
  expect((await world.askAdmin('GET', '/me', { token: other.tokens['client-reader'] })).status).toBe(200)
  expect((await world.askAdmin('GET', '/me')).status).toBe(200)
  world.clock.advance(1_000)
  expect((await world.askAdmin('GET', '/me', { token })).status).toBe(200)
})

test('a field that would name carriers is refused to users of an account', async () => {
  const byCarrier = await client.ask('client-reader', 'GET', '/messages?carrier=sandbox-sms')
  expect(byCarrier).toMatchObject({ status: 400, body: { errors: [{ field: 'carrier' }] } })
  expect((await client.ask('client-reader', 'GET', '/calls/statistics?by=carrier')).status).toBe(400)
})

test('an Idempotency-Key of another user does not return the answer to that user', async () => {
  const headers = { 'idempotency-key': 'k-1' }
  const body = { name: 'kept' }
  const token = other.tokens['client-admin']
  const theirs = await world.askAdmin('POST', `/accounts/${other.id}/keys`, { token, body, headers })
  const mine = await world.askAdmin('POST', `/accounts/${client.id}/keys`, {
    ...{ token: client.tokens['client-admin'], body, headers },
  })
  expect(mine.body).toMatchObject({ account: client.id, name: 'kept' })
  expect(mine.body['key']).not.toBe(theirs.body['key'])
})

test('operators are no users of an account, and users of an account need one', async () => {
  const add = async (body: object) => (await world.askAdmin('POST', '/users', { body })).body['detail']
  expect(await add({ user: 'fay', role: 'client-admin' })).toBe('a client-admin needs an account')
  expect(await add({ user: 'fay', role: 'owner', account: client.id })).toBe('a user of an account cannot be owner')
  expect(await add({ user: 'fay@7', role: 'owner' })).toBe('names that end in @ and digits are for users of accounts')
  expect(await add({ user: 'fay', role: 'client-admin', account: 999 })).toBe('there is no account 999')
})

test('the command line works with the token of such a user', async () => {
  const line = new CommandLine()
  line.environment = { POSTHORN_SERVER: world.gateway.adminAddress, POSTHORN_TOKEN: client.tokens['client-reader'] }
  const account = String(client.id)
  expect(await line.ask(['account', 'balance', '--account', account])).toMatchObject({ account: client.id })
  expect(await line.ask(['message', 'list'])).toMatchObject({ data: [{ message: client.message }] })
  const trace = await line.run(['trace', String(client.message)])
  expect(trace).toMatchObject({ exitCode: 0, out: expect.stringContaining('accepted') })
  expect(trace.out).not.toContain('sandbox-')
  expect((await line.run(['carrier', 'list'])).err).toContain('client-reader may not use carrier list')
  expect((await line.run(['account', 'balance', '--account', String(other.id)])).err).toBe(
    `error: there is no account ${other.id}\n`,
  )
  line.close()
})

test('users of a closed account cannot log in, and its tokens are gone', async () => {
  const token = closed.tokens['client-admin']
  const login = await setUpLogin(`client-admin-robin@${closed.id}`, token)
  expect((await world.askAdmin('POST', '/session', { body: await login() })).status).toBe(200)
  const closing = { name: 'Shop robin' }
  expect((await world.askAdmin('POST', `/accounts/${closed.id}/closing`, { body: closing })).status).toBe(200)
  expect((await world.askAdmin('GET', '/me', { token })).status).toBe(401)
  expect((await world.askAdmin('POST', '/session', { body: await login() })).status).toBe(401)
  const tokens = await world.askAdmin('GET', `/users/${closed.spare}/tokens`)
  expect(tokens.body['data']).toEqual([])
  const again = await world.askAdmin('POST', `/users/${closed.spare}/tokens`, { body: { label: 'again' } })
  expect(again).toMatchObject({
    status: 422,
    body: { detail: `account ${closed.id} is closed: its users cannot log in` },
  })
})
