/** Accounts over the admin API: what operators change there holds for clients with the very answer. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signingSecrets } from '../../src/domain/accounts/account.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { topUpAccount } from '../../src/operations/admin/money/payments.ts'
import { setSender } from '../../src/operations/admin/senders/senders.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const DENIED = { success: false, error: 'Access denied', code: 'access_denied' }

const change = (body: object, account = 1) => world.askAdmin('PATCH', `/accounts/${account}`, { body })
const balance = () => world.ask([{ type: 'balance' }])

test('an account is used from its networks alone, from the very answer on', async () => {
  const { body } = await change({ allowed_networks: ['192.0.2.7', '2001:DB8::/32'] })
  expect(body['allowed_networks']).toEqual(['192.0.2.7/32', '2001:db8::/32'])
  expect(await balance()).toEqual(DENIED)
  await change({ allowed_networks: ['127.0.0.0/8'] })
  expect(await balance()).toMatchObject({ success: true })
  await change({ allowed_networks: null })
  expect(await balance()).toMatchObject({ success: true })
})

test('accounts are found by a part of the name in any case, by number and by state', async () => {
  await world.askAdmin('POST', '/accounts', { body: { name: 'Blumen Müller' } })
  const { body } = await world.askAdmin('POST', '/accounts', { body: { name: 'Blumenhof' } })
  const hof = body['account'] as number
  const find = async (query: string) => {
    const { data } = (await world.askAdmin('GET', `/accounts?${query}`)).body as {
      readonly data: readonly { readonly name: string }[]
    }
    return data.map(({ name }) => name)
  }
  expect(await find('search=blumen')).toEqual(['Blumen Müller', 'Blumenhof'])
  expect(await find(`search=${encodeURIComponent('MÜLLER')}`)).toEqual(['Blumen Müller'])
  expect(await find(`search=${hof}`)).toEqual(['Blumenhof'])
  expect(await find('search=blumen&most=1&after=1')).toEqual(['Blumenhof'])
  expect(await find('search=nothing')).toEqual([])
  await change({ state: 'suspended' }, hof)
  expect(await find('state=suspended')).toEqual(['Blumenhof'])
  expect((await world.askAdmin('GET', `/accounts?search=${'x'.repeat(101)}`)).status).toBe(400)
})

test.each([
  [[], 400],
  ['127.0.0.1', 400],
  [['10.0.0.1/8'], 422],
  [['home'], 422],
])('networks like %j are refused', async (networks, status) => {
  expect((await change({ allowed_networks: networks })).status).toBe(status)
  expect((await world.askAdmin('GET', '/accounts/1')).body['allowed_networks']).toBeNull()
})

/** An account of the test's own, with a key and what the chain of the sandbox needs. */
async function newAccount(name: string) {
  const { body } = await world.askAdmin('POST', '/accounts', { body: { name } })
  const account = body['account'] as AccountId
  const key = (await world.askAdmin('POST', `/accounts/${account}/keys`, { body: { name: 'server' } })).body['key']
  await world.operate(async (store) => {
    await topUpAccount(store, world.clock, { accountId: account, amountMicros: toMicros(100_000) })
    await setSender(store, { accountId: account, channel: 'rcs', name: 'RCSTest', state: 'approved' })
  })
  return { account, ask: (...data: readonly object[]) => world.post({ auth: key, data }) }
}

test('a suspended account is denied with the very answer; what it had sent is delivered, charged and reported', async () => {
  const { account, ask } = await newAccount('Suspended')
  const sent = await ask(rcsItem('491701234500', { hook: world.sink.address }))
  const messageId = sent.data?.[0]?.data['msg_id'] as MessageId
  expect((await change({ state: 'suspended' }, account)).body).toMatchObject({ state: 'suspended' })
  expect(await ask({ type: 'balance' })).toEqual(DENIED)
  await world.pass(1)
  const { message, reports } = await world.trace(messageId)
  expect(message.journey).toMatchObject({ status: 'DELIVERED', chargedMicros: 30_000 })
  expect(reports.map(({ state }) => state)).toEqual(['sent'])
  await change({ state: 'active' }, account)
  expect(await ask({ type: 'balance' })).toMatchObject({ data: [{ data: { amount: 0.07 } }] })
})

test('a closed account returns its remaining balances, finishes open messages and cannot be reopened', async () => {
  const { account, ask } = await newAccount('Closed')
  const sent = await ask(rcsItem('491701234500'))
  const closing = (name: string) => world.askAdmin('POST', `/accounts/${account}/closing`, { body: { name } })
  expect(await closing('Another')).toMatchObject({ status: 422 })
  expect(await ask({ type: 'balance' })).toMatchObject({ success: true })
  expect(await closing('Closed')).toMatchObject({
    status: 200,
    body: { account, name: 'Closed', state: 'closed', currency: 'EUR', available: 0.07, held: 0.03, revoked_keys: 1 },
  })
  expect(await ask({ type: 'balance' })).toEqual(DENIED)
  await world.pass(1)
  const { message } = await world.trace(sent.data?.[0]?.data['msg_id'] as MessageId)
  expect(message.journey.status).toBe('DELIVERED')
  const after = await world.askAdmin('GET', `/accounts/${account}/balance`)
  expect(after.body).toMatchObject({ available: 0.07, held: 0, spent: 0.03 })
  expect((await change({ state: 'active' }, account)).status).toBe(422)
  expect((await world.askAdmin('POST', `/accounts/${account}/keys`, { body: { name: 'b' } })).status).toBe(422)
  expect((await closing('Closed')).status).toBe(422)
})

test('an account is renamed, its state and settings staying; a name that is taken is refused', async () => {
  const { account, ask } = await newAccount('Old name')
  const { body } = await change({ name: 'New name', request_operations: 2 }, account)
  const { changed, ...stored } = body
  expect(changed).toEqual(['name Old name → New name', 'request operations none → 2'])
  expect(stored).toMatchObject({ account, name: 'New name', state: 'active', request_operations: 2 })
  for (const name of ['Sandbox', ' x']) expect((await change({ name }, account)).status).toBe(422)
  expect((await change({ name: 'Later', step_lifetime_seconds: 1 }, account)).status).toBe(422)
  expect((await world.askAdmin('GET', `/accounts/${account}`)).body).toMatchObject(stored)
  expect(await ask({ type: 'balance' })).toMatchObject({ success: true })
})

test('the old hook secret signs until its end, or until it is retired', async () => {
  const { account } = await newAccount('Hooks')
  const path = `/accounts/${account}/hook-secret`
  const secrets = async () => {
    const { accounts } = await world.gateway.store.loadDirectory()
    const row = accounts.find(({ id }) => id === account)
    return row === undefined ? [] : signingSecrets(row, world.clock.now())
  }
  const [first] = await secrets()
  const second = (await world.askAdmin('POST', path, { body: { overlap_seconds: 3 } })).body
  expect(second['old_until']).toBe(new Date(world.clock.now() + 3_000).toISOString())
  expect(await secrets()).toEqual([second['hook_secret'], first])
  await world.pass(3)
  expect(await secrets()).toEqual([second['hook_secret']])
  const third = (await world.askAdmin('POST', path, { body: { overlap_seconds: null } })).body
  expect(third['old_until']).toBeNull()
  expect(await secrets()).toEqual([third['hook_secret'], second['hook_secret']])
  expect((await world.askAdmin('DELETE', `${path}/old`)).status).toBe(204)
  expect(await secrets()).toEqual([third['hook_secret']])
  expect((await world.askAdmin('DELETE', `${path}/old`)).status).toBe(422)
  const fourth = (await world.askAdmin('POST', path, { body: { overlap_seconds: 0 } })).body
  expect(await secrets()).toEqual([fourth['hook_secret']])
})

test('a hook of SMPP names a login of its account', async () => {
  const { body: other } = await world.askAdmin('POST', '/accounts', { body: { name: 'Other' } })
  await world.askAdmin('POST', '/accounts/1/logins', { body: { name: 'a+b' } })
  await world.askAdmin('POST', `/accounts/${other['account']}/logins`, { body: { name: 'others' } })
  const setNumber = (hook: string) =>
    world.askAdmin('PUT', '/inbound-numbers', {
      body: { carrier: 'sandbox-sms', address: '491234', account: 1, hook },
    })
  for (const name of ['nosuch', 'others', 'A+B']) {
    const error = `account 1 has no login named "${name}": add it first (posthorn login add)`
    const hook = `smpp:${encodeURIComponent(name)}`
    expect(JSON.stringify((await change({ default_hook: hook })).body)).toContain(JSON.stringify(error).slice(1, -1))
    expect(JSON.stringify((await setNumber(hook)).body)).toContain(JSON.stringify(error).slice(1, -1))
  }
  expect((await world.askAdmin('GET', '/accounts/1')).body['default_hook']).toBeNull()
  expect((await setNumber('smpp:a%2Bb')).body).toMatchObject({ hook: 'smpp:a%2Bb' })
  expect((await setNumber('smpp:a+b')).body).toMatchObject({ hook: 'smpp:a%2Bb' })
  expect((await change({ default_hook: 'smpp:a%2Bb' })).body).toMatchObject({ default_hook: 'smpp:a%2Bb' })
  expect((await change({ default_hook: 'smpp:a+b' })).body).toMatchObject({ default_hook: 'smpp:a%2Bb' })
  const remove = () => world.askAdmin('DELETE', '/accounts/1/logins/a%2Bb')
  const detail = (hooks: string) => `reports go to this login: change the hook of ${hooks} first`
  const number = 'inbound number sandbox-sms 491234'
  expect(await remove()).toMatchObject({ status: 422, body: { detail: detail(`account 1, ${number}`) } })
  await change({ default_hook: null })
  expect(await remove()).toMatchObject({ status: 422, body: { detail: detail(number) } })
  await setNumber(`${world.sink.address}/inbound`)
  expect(await remove()).toMatchObject({ status: 204 })
})

test('a login is shown, and a sender that the account may not use yet is named', async () => {
  const add = async (name: string, more: object) =>
    world.askAdmin('POST', '/accounts/1/logins', { body: { name, ...more } })
  expect((await add('plain', {})).body).not.toHaveProperty('warning')
  expect((await add('known', { sender: 'SMSTest' })).body).not.toHaveProperty('warning')
  const warning = 'the account has no approved sender NewShop for sms: its messages are refused'
  expect(await add('early', { sender: 'NewShop' })).toMatchObject({ body: { sender: 'NewShop', warning } })
  const chain = { type: 'chatapp+sms', sender: 'Other' }
  const set = await world.askAdmin('PATCH', '/accounts/1/logins/known', { body: chain })
  expect(set.body['warning']).toMatch(/no approved sender Other for chatapp, sms:/)
  const { body } = await world.askAdmin('GET', '/accounts/1/logins/early')
  expect(body).toMatchObject({ name: 'early', sender: 'NewShop', max_binds: 4 })
  expect(Object.keys(body)).not.toContain('password')
  expect(await world.askAdmin('GET', '/accounts/1/logins/nosuch')).toMatchObject({ status: 404 })
})

test('a login takes no signing key that cannot be read', async () => {
  const add = (name: string, key: string) =>
    world.askAdmin('POST', '/accounts/1/logins', { body: { name, signing_key: key } })
  for (const key of ['v1,whsec_bad', 'whsec_', 'v1,', `whsec_${'A'.repeat(20)}`]) {
    const { status, body } = await add('signer', key)
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('at least 16 bytes in base64')])
  }
  expect(await add('signer', `v1,whsec_${'A'.repeat(32)}`)).toMatchObject({ body: { signs: true } })
  expect(await add('zitadel', 'short')).toMatchObject({ body: { signs: true } })
  const set = await world.askAdmin('PATCH', '/accounts/1/logins/signer', { body: { signing_key: 'v1,whsec_bad' } })
  expect(set).toMatchObject({ status: 422 })
})
