/** Lookups through the whole gateway: a service over HTTP; its answers are charged once, and nothing without one. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SANDBOX_CARRIERS } from '../../src/sandbox/set-up.ts'
import { eventually, settled } from '../support/eventually.ts'
import { useOwnWorld } from '../support/own-world.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
let earnedBefore: number
beforeAll(async () => {
  world = await SandboxWorld.start()
})
beforeEach(async () => {
  // The lookups of the test before count no more towards those of a second.
  await world.pass(2)
  earnedBefore = (await world.balances()).earned
})
afterAll(() => world.stop())

async function startOwnWorld(): Promise<void> {
  await useOwnWorld(world, (used) => {
    world = used
  })
  earnedBefore = (await world.balances()).earned
}

const lookup = (phone: number, fields: object = {}) => ({ type: 'lookup', phone, ...fields })
const earned = async () => (await world.balances()).earned - earnedBefore
const askedOf = (phone: number) => world.box.numbers?.asked.filter((each) => each === String(phone)).length

test('a number by its operator, whether it was ported, and whether it can be reached', async () => {
  const phones = [491701500000, 491701500015, 491701500016, 491701500017]
  const { data } = await world.ask(phones.map((phone) => lookup(phone)))
  const known = { country: 'DE', source: 'service', cached: false, price: 0.004, currency: 'EUR' }
  const found = { mccmnc: '00101', operator: 'Test Mobile', ported: false, imsi: '00101**********' }
  expect(data?.map((result) => result.data)).toMatchObject([
    { ...known, ...found, status: 'reachable', phone: 491701500000 },
    { ...known, mccmnc: '00103', operator: 'Test Ported', ported: true, status: 'reachable' },
    { ...known, ...found, status: 'absent' },
    { ...known, mccmnc: null, operator: null, ported: null, status: 'invalid' },
  ])
  expect(await earned()).toBe(16_000)
})

test('an answer is used again for a day, at the same price, unless the client wants it younger', async () => {
  const phone = 491701500100
  const { data: first } = await world.ask([lookup(phone)])
  const { data: again } = await world.ask([lookup(phone)])
  expect(again?.[0]?.data).toEqual({ ...first?.[0]?.data, cached: true })
  expect(askedOf(phone)).toBe(1)
  const { data: anew } = await world.ask([lookup(phone, { max_age: 0 })])
  expect(anew?.[0]?.data).toMatchObject({ cached: false })
  expect(askedOf(phone)).toBe(2)
  expect(await earned()).toBe(12_000)
})

describe('hlr answers in the form of the services that have it', () => {
  const germany = { name: 'Germany', prefix: 49 }
  const testMobile = { name: 'Test Mobile', prefix: null, country: germany }
  const hlr = async (phone: number) => (await world.ask([{ type: 'hlr', id: 'h', phone }])).data?.[0]?.data

  test('a ported number has both operators', async () => {
    const { network, ...rest } = (await hlr(491701500215)) as { network: { origin: object; ported: object } }
    expect(rest).toEqual({
      ...{ id: 'h', phone: 491701500215, status: 'DELIVERED', imsi: null, mccmnc: 103, ported: true },
    })
    expect(network.ported).toEqual({ name: 'Test Ported', prefix: null, country: germany })
    expect(network.origin).toMatchObject({ country: germany })
    expect(await earned()).toBe(4_000)
  })

  test.each([
    ['one that can be reached', 491701500200, 'DELIVERED', 101, false, testMobile],
    ['one that is switched off', 491701500216, 'UNDELIVERABLE', 101, false, testMobile],
    [
      ...(['one that is not assigned', 491701500217, 'INVALID DESTINATION ADDRESS', null, null] as const),
      { name: null, prefix: null, country: germany },
    ],
  ] as const)('%s', async (_, phone, status, mccmnc, ported, origin) => {
    expect(await hlr(phone)).toEqual({
      ...{ id: 'h', phone, status, imsi: null, mccmnc, ported, network: { origin, ported: null } },
    })
  })
})

test('a service that does not answer in time costs nothing, and the rest of the request is executed', async () => {
  const asked = world.ask([lookup(491701500318, { id: 1 }), { type: 'balance' }])
  const { data } = await settled('the answer', asked, world.clock)
  expect(data).toMatchObject([
    { success: false, error: 'Lookup failed, try again later', data: { id: 1 } },
    { success: true, data: { currency: 'EUR' } },
  ])
  expect(await earned()).toBe(0)
})

test('a repeat under the same key is answered as before, asks nothing and charges nothing', async () => {
  const headers = { 'idempotency-key': 'lookup-1' }
  const first = await world.ask([lookup(491701500400, { max_age: 0 })], { headers })
  expect(await world.ask([lookup(491701500400, { max_age: 0 })], { headers })).toEqual(first)
  expect(askedOf(491701500400)).toBe(1)
  expect(await earned()).toBe(4_000)
})

test('the statement shows lookups by operator', async () => {
  await startOwnWorld()
  await world.ask([491701500000, 491701500001, 491701500015].map((phone) => lookup(phone)))
  const month = new Date(world.clock.now()).toISOString().slice(0, 7)
  const { body } = await world.askAdmin('GET', `/accounts/1/statements/${month}`)
  expect((body as { lines: unknown }).lines).toMatchObject([
    { channel: 'lookup', operator: '00101', messages: 2, amount: 0.008 },
    { channel: 'lookup', operator: '00103', messages: 1, amount: 0.004 },
  ])
})

test('the postings of a lookup name no message', async () => {
  await startOwnWorld()
  await world.ask([lookup(491701500000)])
  const { body } = await world.askAdmin('GET', `/accounts/${world.accountId}/postings`)
  const postings = (body as { data: readonly { kind: string; message: number | null }[] }).data
  const ofLookups = postings.filter(({ kind }) => kind !== 'top-up')
  expect(new Set(ofLookups.map(({ kind, message }) => `${kind} ${message}`))).toEqual(
    new Set(['hold null', 'charge null']),
  )
})

test('a service that is silent delays no message of another request', async () => {
  const waiting = world.ask([lookup(491701500918)])
  await eventually('the question', () => askedOf(491701500918) === 1)
  // The clock stands still: nothing else can end the question.
  const sms = { type: 'sms', phone: 491701500900, sms_signature: 'SMSTest', sms_message: 'Hi' }
  expect(await world.ask([sms])).toMatchObject({ data: [{ success: true }] })
  expect(await settled('the answer', waiting, world.clock)).toMatchObject({ data: [{ success: false }] })
  await world.pass(2)
})

test('operators see the carrier of lookups as any other, and its secret is hidden', async () => {
  const { body } = await world.askAdmin('GET', `/carriers/${SANDBOX_CARRIERS.lookup}`)
  expect(body).toMatchObject({ kind: 'lookup', channel: 'lookup', state: { up: true, breaker: 'closed' } })
  expect(JSON.stringify(body)).toContain('"token":"<kept>"')
})

test('what the account cannot pay is not asked; a dearer answer than it can pay is not shown', async () => {
  await startOwnWorld()
  const available = (await world.balances()).available / 1_000_000
  const correct = (amount: number) =>
    world.askAdmin('POST', '/accounts/1/corrections', { body: { amount, note: 'test' } })
  expect((await correct(Number((0.006 - available).toFixed(6)))).status).toBe(200)
  const [cheap, other, dear] = [491701500600, 491701500700, 491701500615] as const
  const { data } = await world.ask([lookup(cheap, { id: 1 }), lookup(other, { id: 2 })])
  expect(data).toMatchObject([
    { success: true, data: { id: 1 } },
    { success: false, error: 'Insufficient funds', data: { id: 2 } },
  ])
  expect(askedOf(other)).toBe(0)
  expect((await correct(0.004)).status).toBe(200)
  const price = { channel: 'lookup', currency: 'EUR', operator: '00103', price: 0.01 }
  expect((await world.askAdmin('PUT', '/prices', { body: price })).status).toBe(200)
  await world.gateway.refresh()
  const { data: ported } = await world.ask([lookup(dear, { id: 3 })])
  expect(ported).toEqual([{ success: false, error: 'Insufficient funds', code: 'insufficient_funds', data: { id: 3 } }])
  expect(askedOf(dear)).toBe(1)
  expect(await world.balances()).toMatchObject({ available: 6_000, held: 0 })
})

test('a request has at most 100 lookups, and one with more executes nothing', async () => {
  const answer = await world.ask(Array.from({ length: 101 }, (_, index) => lookup(491701501000 + index)))
  expect(answer).toEqual({ success: false, error: 'data: at most 100 lookups in a request', code: 'invalid_request' })
  expect(askedOf(491701501000)).toBe(0)
})

test('an account has a limit of lookups a second, however they are spread over requests', async () => {
  const path = `/accounts/${world.accountId}`
  expect((await world.askAdmin('PATCH', path, { body: { lookups_per_second: 2 } })).status).toBe(200)
  await world.gateway.refresh()
  await world.pass(2)
  const three = [491701502000, 491701502001, 491701502002].map((phone) => lookup(phone))
  expect(await world.ask(three)).toMatchObject({ success: true })
  const refused = { success: false, error: 'Rate limit exceeded, at most 2 lookups a second', code: 'rate_limited' }
  expect(await world.ask([lookup(491701502003)])).toEqual(refused)
  expect(askedOf(491701502003)).toBe(0)
  await world.pass(2)
  expect(await world.ask([lookup(491701502003)])).toMatchObject({ success: true })
  expect((await world.askAdmin('PATCH', path, { body: { lookups_per_second: null } })).status).toBe(200)
  await world.gateway.refresh()
})

test('lookups count towards what the account may spend in a day, not towards its messages', async () => {
  const path = `/accounts/${world.accountId}`
  const limits = { daily_spend: 0.009, daily_messages: 1 }
  expect((await world.askAdmin('PATCH', path, { body: limits })).status).toBe(200)
  await world.gateway.refresh()
  const { data } = await world.ask([491701502100, 491701502101, 491701502102].map((phone) => lookup(phone)))
  expect(data?.map(({ error }) => error)).toEqual([undefined, undefined, 'Daily spending limit reached'])
  const none = { daily_spend: null, daily_messages: null }
  expect((await world.askAdmin('PATCH', path, { body: none })).status).toBe(200)
  await world.gateway.refresh()
})

test('a test key looks up simulated numbers, free of charge', async () => {
  const { body } = await world.askAdmin('POST', '/accounts/1/keys', { body: { name: 'try', test: true } })
  const { key } = body as { key: string }
  const phones = [491701500815, 491701500817, 491701500818]
  const { data } = await world.post({ auth: key, data: phones.map((phone) => lookup(phone)) })
  expect(data).toMatchObject([
    { data: { ported: true, price: 0, imsi: '00103**********', test: true } },
    { data: { status: 'invalid', price: 0 } },
    { success: false, error: 'Lookup failed, try again later' },
  ])
  expect(askedOf(491701500815)).toBe(0)
  expect(await earned()).toBe(0)
})

test('without a route the prefix table answers, at no price; without a price nothing is asked', async () => {
  await startOwnWorld()
  const phone = 491701500515
  expect((await world.askAdmin('DELETE', '/prices?channel=lookup&currency=EUR')).status).toBe(204)
  await world.gateway.refresh()
  const { data: unpriced } = await world.ask([lookup(phone)])
  expect(unpriced?.[0]?.error).toBe('phone: no price for lookup to this number')
  expect((await world.askAdmin('DELETE', `/routes?carrier=${SANDBOX_CARRIERS.lookup}`)).status).toBe(204)
  await world.gateway.refresh()
  const { data } = await world.ask([lookup(phone)])
  expect(data?.[0]?.data).toMatchObject({
    country: 'DE',
    mccmnc: '26201',
    operator: 'T-Mobile',
    ported: null,
    status: 'unknown',
    source: 'prefix table',
    price: 0,
  })
  expect(askedOf(phone)).toBe(0)
  expect(await earned()).toBe(0)
})
