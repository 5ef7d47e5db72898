/** Messages of an account that looks numbers up: routed and priced by the operator that serves a ported number. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, settled } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
  const settings = { host: '127.0.0.1', port: world.box.smsc.port, systemId: 'posthorn', password: 'sandbox' }
  const route = { prefix: '', priority: 0, operators: ['00103'] }
  const carrier = { kind: 'smpp', settings, route }
  expect((await world.askAdmin('PUT', '/carriers/other-sms', { body: carrier })).status).toBe(200)
  const price = { channel: 'sms', currency: 'EUR', operator: '00103', price: 0.09 }
  expect((await world.askAdmin('PUT', '/prices', { body: price })).status).toBe(200)
  await lookUpNumbers(true)
  await world.carriersUp()
})
afterAll(() => world.stop())

const lookUpNumbers = (isOn: boolean) => set({ look_up_numbers: isOn })
const set = async (body: object) => {
  expect((await world.askAdmin('PATCH', `/accounts/${world.accountId}`, { body })).status).toBe(200)
  await world.gateway.refresh()
}
const sms = (phone: number | string) => ({ type: 'sms', phone, sms_signature: 'SMSTest', sms_message: 'Hi' })
const priceOf = (phone: number) => ({ ...sms(phone), type: 'price', send_type: 'sms' })
const pricesOf = async (phones: readonly number[]) => {
  const { data } = await world.ask(phones.map((phone) => priceOf(phone)))
  return data?.map((result) => result.data['price'])
}
const askedOf = (phone: number) => world.box.numbers?.asked.filter((each) => each === String(phone)).length
const chargeOf = async (phone: number) => {
  const id = await world.sendOne(sms(phone))
  await world.pass(2)
  return (await world.trace(id)).postings.find(({ kind }) => kind === 'charge')
}

test('a ported number is priced and routed by its operator, an ordinary one as before', async () => {
  expect(await chargeOf(491701600015)).toMatchObject({
    amountMicros: 90_000,
    charge: { operator: '00103', carrierId: 'other-sms' },
  })
  expect(await chargeOf(491701600000)).toMatchObject({
    amountMicros: 50_000,
    charge: { operator: '00101', carrierId: 'sandbox-sms' },
  })
})

test('the price that is asked for is the one that is charged, and the service is asked once for both', async () => {
  const { data } = await world.ask([priceOf(491701600115), priceOf(491701600115)])
  expect(data?.map((result) => result.data['price'])).toEqual([0.09, 0.09])
  expect(await chargeOf(491701600115)).toMatchObject({ amountMicros: 90_000 })
  expect(askedOf(491701600115)).toBe(1)
})

test('calls are routed by it too: another operator than the one by prefix may not be reachable', async () => {
  const start = { type: 'verify/start', phone: 491701600215, channels: ['call', 'sms'], sms_signature: 'SMSTest' }
  const { data } = await world.ask([start])
  expect(data?.[0]?.data).toMatchObject({ channel: 'sms', price: 0.09 })
  expect(await world.ask([{ type: 'call/otp', phone: 491701600215 }])).toMatchObject({
    error: 'Operator not supported',
  })
})

test('without an answer in time the prefix table decides, and the message is accepted', async () => {
  const asked = world.ask([sms(491701600318)])
  const { data } = await settled('the answer', asked, world.clock)
  expect(data).toMatchObject([{ success: true }])
  await eventually('the question', () => askedOf(491701600318) === 1)
  await world.pass(2)
  const id = data?.[0]?.data['msg_id'] as never
  expect((await world.trace(id)).postings.at(-1)?.charge).toMatchObject({ operator: '26201' })
})

test('the operator of the gateway pays the questions: the account pays only its messages', async () => {
  const before = await world.balances()
  await world.ask([priceOf(491701600415)])
  expect(askedOf(491701600415)).toBe(1)
  expect(await world.balances()).toEqual(before)
})

test('an account has a limit of numbers looked up a second; for others the prefix table decides', async () => {
  await set({ routing_lookups_per_second: 2 })
  await world.pass(2)
  const phones = [491701601015, 491701601115, 491701601215]
  expect(await pricesOf(phones)).toEqual([0.09, 0.09, 0.09])
  expect(await pricesOf([491701601315, 491701601015])).toEqual([0.05, 0.09])
  expect(askedOf(491701601315)).toBe(0)
  await world.pass(2)
  expect(await pricesOf([491701601315])).toEqual([0.09])
  await set({ routing_lookups_per_second: null })
  await world.pass(2)
})

test('an account that can spend nothing asks nothing', async () => {
  const available = (await world.balances()).available / 1_000_000
  const correct = (amount: number) =>
    world.askAdmin('POST', '/accounts/1/corrections', { body: { amount, note: 'test' } })
  expect((await correct(-available)).status).toBe(200)
  expect(await pricesOf([491701601415])).toEqual([0.05])
  expect((await world.ask([sms(491701601415)])).data).toMatchObject([{ error: 'Insufficient funds' }])
  expect(askedOf(491701601415)).toBe(0)
  expect((await correct(available)).status).toBe(200)
  expect(await pricesOf([491701601415])).toEqual([0.09])
})

test('a repeat under the same key asks nothing', async () => {
  const headers = { 'idempotency-key': 'routed-1' }
  const ask = () => settled('the answer', world.ask([priceOf(491701601518)], { headers }), world.clock)
  const first = await ask()
  await eventually('the question', () => askedOf(491701601518) === 1)
  expect(await ask()).toEqual(first)
  await world.rest()
  expect(askedOf(491701601518)).toBe(1)
})

test('of a request, 500 numbers are looked up at most, and only those that its key may send to', async () => {
  await world.pass(2)
  const asked = () => world.box.numbers?.asked.length ?? 0
  const before = asked()
  const many = Array.from({ length: 510 }, (_, index) => priceOf(491701700000 + 100 * index))
  const { data } = await settled('the answer', world.ask([...many, { type: 'fax', phone: 491701690000 }]), world.clock)
  expect(data?.filter(({ success }) => success)).toHaveLength(510)
  await world.rest()
  expect(asked() - before).toBeGreaterThan(0)
  expect(asked() - before).toBeLessThanOrEqual(500)
  const { body } = await world.askAdmin('POST', '/accounts/1/keys', { body: { name: 'otp only', scopes: ['otp'] } })
  await world.post({ auth: body['key'], data: [priceOf(491701690100)] })
  expect([askedOf(491701690000), askedOf(491701690100)]).toEqual([0, 0])
  // Until the account may have as many looked up again.
  await world.pass(30)
})

test.each([[{ toString: 1, valueOf: 1 }], [[['sms']]], ['constructor'], [null]])(
  'an operation of the type %j fails alone',
  async (type) => {
    const { data } = await world.ask([{ type, phone: 491701690200 }, priceOf(491701690300)] as never)
    expect(data?.map(({ success }) => success)).toEqual([false, true])
  },
)

test('another account, or one that does not look numbers up, asks nothing', async () => {
  await lookUpNumbers(false)
  const { data } = await world.ask([priceOf(491701600515)])
  expect(data?.[0]?.data).toMatchObject({ price: 0.05 })
  expect(askedOf(491701600515)).toBe(0)
  await lookUpNumbers(true)
})
