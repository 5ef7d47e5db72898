/** Operators and clients read what is missing before an account can send; each answer is compared with a real send. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SANDBOX_CARRIERS } from '../../src/sandbox/set-up.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

interface Checklist {
  readonly ready: boolean
  readonly account: number | null
  readonly channel: string | null
  readonly points: readonly { readonly point: string; readonly state: string; readonly about: string | null }[]
  readonly channels: readonly { readonly channel: string; readonly lacks: readonly { readonly point: string }[] }[]
}

async function change(method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
  const { status, body: answer } = await world.askAdmin(method, path, body === undefined ? {} : { body })
  if (status >= 300) throw new Error(JSON.stringify(answer))
  return answer
}

async function read(path: string, token?: string): Promise<Checklist> {
  const answer = await world.askAdmin('GET', path, token === undefined ? {} : { token })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body as unknown as Checklist
}

const ofAccount = (account: number, token?: string) => read(`/accounts/${account}/checklist`, token)
const missing = ({ points }: Checklist) => points.filter(({ state }) => state === 'missing').map(({ point }) => point)
const lacksOf = ({ channels }: Checklist, channel: string) =>
  channels.find((each) => each.channel === channel)?.lacks.map(({ point }) => point)

/** An account with money, a sender, a price for 49 in its currency, and a key. */
async function setUp(name: string, currency = 'EUR') {
  const account = Number((await change('POST', '/accounts', { name, currency }))['account'])
  await change('POST', '/senders/approve', { account, channel: 'sms', name: 'Shop' })
  await change('POST', `/accounts/${account}/top-ups`, { amount: 10 })
  const key = String((await change('POST', `/accounts/${account}/keys`, { name: 'server' }))['key'])
  return { account, key }
}

/** Sends an SMS as a client does. Returns its error; null if it is accepted. */
async function send(key: string, phone = '491701234500'): Promise<string | null> {
  const item = { type: 'sms', phone, sms_signature: 'Shop', sms_message: 'x' }
  const answer = await world.post({ auth: key, data: [item] })
  return answer.error ?? answer.data?.[0]?.error ?? null
}

describe('the checklist of an account', () => {
  test('begins with what is missing, and is done when a real message is accepted', async () => {
    const created = await change('POST', '/accounts', { name: 'Newcomer', currency: 'EUR' })
    const account = Number(created['account'])
    const first = await ofAccount(account)
    expect(first).toMatchObject({ ready: false, account, channel: 'sms' })
    expect(missing(first)).toEqual(['sender', 'balance', 'key'])
    expect(lacksOf(first, 'rcs')).toEqual(['sender', 'balance'])
    expect(first.points.find(({ point }) => point === 'sender')).toMatchObject({
      ...{ effect: 'messages are refused: no sender is approved for them', command: 'sender approve' },
    })

    const { key } = await change('POST', `/accounts/${account}/keys`, { name: 'server' })
    expect(missing(await ofAccount(account))).toEqual(['sender', 'balance'])
    expect(await send(String(key))).toBe('Error in Alpha-name')
    await change('POST', '/senders/approve', { account, channel: 'sms', name: 'Shop' })
    expect(missing(await ofAccount(account))).toEqual(['balance'])
    expect(await send(String(key))).toBe('Insufficient funds')
    await change('POST', `/accounts/${account}/top-ups`, { amount: 1 })

    const done = await ofAccount(account)
    expect(done).toMatchObject({ ready: true, channel: 'sms' })
    expect(lacksOf(done, 'rcs')).toEqual(['sender'])
    expect(await send(String(key))).toBeNull()
    const advised = done.points.filter(({ state }) => state === 'advised').map(({ point }) => point)
    expect(advised).toEqual(['hook', 'spending limit'])
  })

  test('asks for a price and a route that lead to the same numbers', async () => {
    const { account, key } = await setUp('Francs', 'CHF')
    expect(missing(await ofAccount(account))).toEqual(['price'])
    expect(await send(key)).toBe('phone: no price for sms to this number')
    await change('PATCH', `/accounts/${account}`, { allowed_countries: ['DE'] })
    await change('PUT', '/prices', { channel: 'sms', currency: 'CHF', prefix: '43', price: 0.1 })
    expect(missing(await ofAccount(account))).toEqual(['price'])
    expect(await send(key)).toBe('phone: no price for sms to this number')
    await change('PUT', '/prices', { channel: 'sms', currency: 'CHF', prefix: '4917', price: 0.1 })
    expect(await ofAccount(account)).toMatchObject({ ready: true })
    expect(await send(key)).toBeNull()
    await change('PATCH', `/accounts/${account}`, { allowed_countries: ['DE', 'FR'] })
    expect((await ofAccount(account)).points).toContainEqual(
      expect.objectContaining({ point: 'countries', state: 'advised', about: 'FR' }),
    )
    expect(await send(key, '33612345678')).toBe('phone: no price for sms to this number')
  })

  test('counts the prices of the group to which it belongs now, and no others', async () => {
    const { account, key } = await setUp('Kronor', 'SEK')
    await change('PUT', '/price-groups/nordic', {})
    await change('PUT', '/prices', { channel: 'sms', currency: 'SEK', prefix: '4917', group: 'nordic', price: 0.1 })
    const from = new Date(world.clock.now() + 60_000).toISOString()
    await change('POST', '/price-group-moves', { accounts: [account], group: 'nordic', from })
    expect(missing(await ofAccount(account))).toEqual(['price'])
    expect(await send(key)).toBe('phone: no price for sms to this number')
    await world.pass(61)
    expect(await ofAccount(account)).toMatchObject({ ready: true })
    expect(await send(key)).toBeNull()
  })

  test('says that a key has expired, that a limit is reached and that the account is suspended', async () => {
    const { account, key } = await setUp('Limited')
    await change('DELETE', `/accounts/${account}/keys/server`)
    const expiresAt = new Date(world.clock.now() + 60_000).toISOString()
    await change('POST', `/accounts/${account}/keys`, { name: 'short', expires_at: expiresAt })
    await change('POST', `/accounts/${account}/keys`, { name: 'tests', test: true })
    expect(missing(await ofAccount(account))).toEqual([])
    await world.pass(61)
    expect(missing(await ofAccount(account))).toEqual(['key'])
    expect(await send(key)).toBe('Access denied')
    const issued = await change('POST', `/accounts/${account}/keys`, { name: 'new' })
    await change('PATCH', `/accounts/${account}`, { daily_messages: 1 })
    expect(await send(String(issued['key']))).toBeNull()
    const limited = await ofAccount(account)
    expect(limited.points).toContainEqual(
      expect.objectContaining({ point: 'limit', state: 'missing', about: 'Daily message limit reached' }),
    )
    await change('PATCH', `/accounts/${account}`, { daily_messages: null, state: 'suspended' })
    const suspended = await ofAccount(account)
    expect(missing(suspended)).toEqual(['account'])
    expect(suspended.points).toContainEqual(expect.objectContaining({ point: 'account', about: 'suspended' }))
  })

  test('names a carrier that takes nothing to operators, and not to users of the account', async () => {
    const { account } = await setUp('Watched')
    await change('POST', '/users', { user: 'ann', role: 'client-reader', account })
    const { token } = await change('POST', `/users/ann@${account}/tokens`, { label: 'test' })
    await change('POST', `/carriers/${SANDBOX_CARRIERS.sms}/drain`)
    const seen = await ofAccount(account)
    expect(missing(seen)).toEqual(['carrier'])
    expect(JSON.stringify(seen)).toContain(SANDBOX_CARRIERS.sms)
    const ofClient = await ofAccount(account, String(token))
    expect(missing(ofClient)).toEqual(['carrier'])
    expect(JSON.stringify(ofClient)).not.toContain(SANDBOX_CARRIERS.sms)
    expect(JSON.stringify(ofClient)).not.toContain('carrier add')
    await change('POST', `/carriers/${SANDBOX_CARRIERS.sms}/resume`)
    expect(missing(await ofAccount(account))).toEqual([])
    expect((await world.askAdmin('GET', '/checklist', { token: String(token) })).status).toBe(403)
  })
})

test('the checklist of the installation ends with a delivered message', async () => {
  await using fresh = await SandboxWorld.start()
  const missingNow = async () => missing((await fresh.askAdmin('GET', '/checklist')).body as unknown as Checklist)
  expect(await missingNow()).toEqual(['message'])
  await fresh.sendOne({ type: 'sms', phone: '491701234500', sms_signature: 'SMSTest', sms_message: 'x' })
  await fresh.pass(5)
  expect((await fresh.askAdmin('GET', '/checklist')).body).toMatchObject({ ready: true, account: 1, channel: 'sms' })
})
