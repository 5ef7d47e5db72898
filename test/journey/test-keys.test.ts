/**
 * Test keys, whole gateway: their messages reach simulated phones alone, cost nothing and say so; live ones never do.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { eventually } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, rcsItem } from '../support/send-items.ts'

/** The carriers of the sandbox stand for real ones here: nothing of a test may reach them. */
let world: SandboxWorld
let testKey: unknown
beforeAll(async () => {
  world = await SandboxWorld.start()
  const { body } = await world.askAdmin('POST', '/accounts/1/keys', { body: { name: 'tests', test: true } })
  testKey = body['key']
})
afterAll(() => world.stop())

const ask = (...data: readonly object[]) => world.post({ auth: testKey, data })

async function send(item: object): Promise<MessageId> {
  const { data } = await ask({ hook: world.sink.address, ...item })
  return data?.[0]?.data['msg_id'] as MessageId
}

/** The box opens for the first message: keys and sockets of which the clock knows nothing. */
const delivered = (id: MessageId) =>
  eventually('a delivery', async () => (await world.trace(id)).message.journey.status === 'DELIVERED', {
    clock: world.clock,
  })

const reportsOf = (id: MessageId) => world.reports.flatMap(({ body }) => (body['msg_id'] === id ? [body] : []))
const carriersOf = async (id: MessageId) => {
  const { timeline } = await world.trace(id)
  return new Set(timeline.flatMap(({ carrierId }) => carrierId ?? []))
}

test('a test key looks like one, and is shown as one', async () => {
  expect(world.key).toMatch(/^ph_sandbox_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/)
  expect(testKey).toMatch(/^ph_test_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/)
  const { body } = await world.askAdmin('GET', '/accounts/1/keys')
  const keys = body['data'] as readonly Readonly<Record<string, unknown>>[]
  expect(new Map(keys.map(({ name, test }) => [name, test]))).toEqual(
    new Map([
      ['tests', true],
      ['sandbox', false],
    ]),
  )
})

test('a message is delivered by a simulated phone, at no cost, and its report says that it was a test', async () => {
  const before = await world.balances()
  const id = await send(rcsItem('491701234500', { id: 7 }))
  await delivered(id)
  await world.rest()
  const trace = await world.trace(id)
  expect(trace.message).toMatchObject({ test: true, journey: { status: 'DELIVERED', chargedMicros: 0 } })
  expect(trace.postings).toEqual([])
  expect(reportsOf(id)).toMatchObject([{ id: 7, test: true, status: 'DELIVERED', channel: 'rcs', price: 0 }])
  expect(await carriersOf(id)).toEqual(new Set(['@test-rcs']))
  expect(world.box.traffic.to('491701234500')).toEqual([])
  expect(await world.balances()).toEqual(before)
})

test.each([
  ['02', 'sms', 'DELIVERED', ['@test-rcs', '@test-chatapp', '@test-sms']],
  ['03', 'sms', 'UNDELIVERABLE', ['@test-rcs', '@test-chatapp', '@test-sms']],
  ['06', 'rcs', 'READ', ['@test-rcs']],
])('the magic phone %s does as in the sandbox', async (ending, channel, status, carriers) => {
  const id = await send(chainItem(`4917012345${ending}`))
  await world.pass(5)
  expect(reportsOf(id).at(-1)).toMatchObject({ test: true, channel, status, price: 0 })
  expect(await carriersOf(id)).toEqual(new Set(carriers))
  expect(world.box.traffic.to(`4917012345${ending}`)).toEqual([])
})

test('a call rings at a simulated phone, costs nothing, and knows the phone of no operator', async () => {
  const call = (phone: string) => {
    const asked = world.post({ auth: testKey, data: [{ type: 'call/otp', phone }] })
    return Promise.all([asked, world.pass(5)]).then(([answer]) => answer)
  }
  expect(await call('491701234500')).toMatchObject({
    data: [{ success: true, data: { code: expect.stringMatching(/^\d{4}$/), price: 0 } }],
  })
  expect(await call('491701234508')).toMatchObject({ data: [{ success: false, error: 'Call failed' }] })
  expect(await call('491701234507')).toEqual({
    success: false,
    error: 'Operator not supported',
    code: 'operator_not_supported',
  })
  expect(world.box.traffic.to('491701234500')).toEqual([])
})

test('live messages go where they went, and a live key sees no test', async () => {
  const tested = await send(rcsItem('491701234510', { id: 99 }))
  const live = await world.sendOne(rcsItem('491701234520', { id: 98 }))
  await world.pass(2)
  expect(world.box.traffic.to('491701234520')).toHaveLength(1)
  expect(await carriersOf(live)).toEqual(new Set(['sandbox-rcs']))
  expect(reportsOf(live)[0]).not.toHaveProperty('test')
  const status = (auth: unknown, msgId: MessageId) => world.post({ auth, data: [{ type: 'status', msg_id: msgId }] })
  expect(await status(world.key, tested)).toMatchObject({ data: [{ success: false }] })
  expect(await status(testKey, live)).toMatchObject({ data: [{ success: false }] })
  expect(await status(testKey, tested)).toMatchObject({ data: [{ success: true, data: { test: true } }] })
})

test('each kind of key takes back its own messages alone', async () => {
  const later = new Date(world.clock.now() + 3_600_000).toISOString()
  const planned = await send(rcsItem('491701234511', { send_at: later }))
  const cancel = (auth: unknown) => world.post({ auth, data: [{ type: 'cancel', msg_id: planned }] })
  expect(await cancel(world.key)).toMatchObject({ data: [{ success: false, error: 'Message not found' }] })
  expect(await cancel(testKey)).toMatchObject({ data: [{ success: true, data: { status: 'CANCELLED' } }] })
})

test('operators see no simulated carriers, can set up none, and can lead no route to one', async () => {
  const carriers = await fetch(`${world.gateway.adminAddress}/carriers`).then((answer) => answer.text())
  expect(carriers).not.toContain('@test')
  const metrics = await fetch(`${world.gateway.adminAddress}/metrics`).then((answer) => answer.text())
  expect(metrics).not.toContain('@test')
  const set = (id: string) => {
    const settings = { host: '127.0.0.1', port: 1, systemId: 'a', password: 'b' }
    return world.askAdmin('PUT', `/carriers/${encodeURIComponent(id)}`, { body: { kind: 'smpp', settings } })
  }
  expect((await set('@test-sms')).status).toBeGreaterThanOrEqual(400)
  const route = { channel: 'sms', carrier: '@test-sms', prefix: '' }
  expect((await world.askAdmin('POST', '/routes', { body: route })).status).toBeGreaterThanOrEqual(400)
})

test('test messages continue after a restart', async () => {
  const later = await send(rcsItem('491701234530', { send_at: new Date(world.clock.now() + 10_000).toISOString() }))
  await world.stopGateway()
  await world.startGateway()
  await delivered(later)
  const { message } = await world.trace(later)
  expect(message).toMatchObject({ test: true, journey: { status: 'DELIVERED' } })
  expect(await carriersOf(later)).toEqual(new Set(['@test-rcs']))
  expect(world.box.traffic.to('491701234530')).toEqual([])
  expect(await ask({ type: 'balance' })).toMatchObject({ success: true })
})
