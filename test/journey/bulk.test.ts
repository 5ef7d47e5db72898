/** Bulks through the whole gateway: at their pace, beside other traffic, over pauses, restarts and a lack of money. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toMicros } from '../../src/domain/money/money.ts'
import { changeAccount } from '../../src/operations/admin/accounts/accounts.ts'
import { ClientAccount } from '../support/client-account.ts'
import { useOwnWorld } from '../support/own-world.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const text = { sms_signature: 'SMSTest', sms_message: 'Hello {{name}}' }
const message = { type: 'sms', ...text }

interface BulkFacts {
  readonly bulk_id: number
  readonly state: string
  readonly accepted: number
  readonly waiting: number
  readonly messages: Readonly<Record<string, number>>
  readonly [name: string]: unknown
}

async function ask(type: string, fields: object): Promise<BulkFacts> {
  const { data = [] } = await world.ask([{ type: `bulk/${type}`, ...fields }])
  expect(data[0]).toMatchObject({ success: true })
  return data[0]?.data as unknown as BulkFacts
}

/** Phones that get what they are sent. */
const phoneOf = (line: number) => `49170${String(line).padStart(5, '0')}01`

async function bulkOf(lines: number, fields: object = {}): Promise<number> {
  const { bulk_id: id } = await ask('create', { message: { hook: world.sink.address, ...message }, ...fields })
  const rows = Array.from({ length: lines }, (_, index) => `${phoneOf(index)},line-${index},Name ${index}`)
  const response = await fetch(`${world.gateway.address}/api/bulk/${id}/lines`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${world.key}`, 'Content-Type': 'text/csv' },
    body: ['phone,id,name', ...rows].join('\n'),
  })
  expect(await response.json()).toMatchObject({ success: true, data: { lines, refused: 0 } })
  return id
}

const setPace = (bulkPace: number | null) =>
  world.operate((store) => changeAccount(store, { accountId: world.accountId, settings: { bulkPace } }))
const status = (bulk_id: number) => ask('status', { bulk_id })
/** Times that a phone of these lines got something. */
const arrivedAt = (lines: number) =>
  Array.from({ length: lines }, (_, index) => world.box.traffic.to(phoneOf(index) as never).length)
/** Reports of the bulk's end. */
const endsOf = (id: number) => world.reports.filter(({ body }) => body['bulk_id'] === id).map(({ body }) => body)

test('a bulk goes out at its pace, line by line, and reports its end', async () => {
  const before = arrivedAt(60)
  const id = await bulkOf(60, { pace: 10, id: 'spring' })
  await world.pass(3)
  expect(await status(id)).toMatchObject({ state: 'uploading', accepted: 0 })
  await ask('start', { bulk_id: id })
  let accepted = 0
  while (accepted === 0) {
    await world.pass(1)
    accepted = (await status(id)).accepted
  }
  expect(accepted).toBeLessThan(30)
  await world.pass(20)
  expect(await status(id)).toMatchObject({
    ...{ id: 'spring', state: 'finished', lines: 60, accepted: 60, waiting: 0, messages: { DELIVERED: 60 } },
  })
  expect(arrivedAt(60).map((count, index) => count - (before[index] ?? 0))).toEqual(Array(60).fill(1))
  const messages = world.reports.filter(({ body }) => body['type'] === 'message.status')
  expect(messages.map(({ body }) => body['id'])).toEqual(expect.arrayContaining(['line-0', 'line-59']))
  expect(endsOf(id)).toEqual([expect.objectContaining({ type: 'bulk.finished', id: 'spring', accepted: 60 })])
  await world.balances()
})

test('a bulk waits for its time, pauses, and goes on where it was, also after a restart', async () => {
  const before = arrivedAt(40)
  const id = await bulkOf(40, { pace: 5 })
  await ask('start', { bulk_id: id, start_at: new Date(world.clock.now() + 10_000).toISOString() })
  await world.pass(5)
  expect(await status(id)).toMatchObject({ state: 'ready', accepted: 0 })
  await world.pass(8)
  expect((await ask('pause', { bulk_id: id })).state).toBe('paused')
  await world.rest()
  const { accepted } = await status(id)
  expect(accepted).toBeGreaterThan(0)
  await world.stopGateway()
  await world.startGateway()
  await world.pass(5)
  expect(await status(id)).toMatchObject({ state: 'paused', accepted })
  await ask('start', { bulk_id: id })
  await world.pass(2)
  await world.stopGateway()
  await world.startGateway()
  await world.pass(20)
  expect(await status(id)).toMatchObject({ state: 'finished', accepted: 40, messages: { DELIVERED: 40 } })
  expect(arrivedAt(40).map((count, index) => count - (before[index] ?? 0))).toEqual(Array(40).fill(1))
})

test('bulks of an account share its pace in proportion to theirs', async () => {
  await setPace(10)
  const [fast, slow] = [await bulkOf(150, { pace: 30 }), await bulkOf(150, { pace: 10 })]
  for (const bulk_id of [fast, slow]) await ask('start', { bulk_id })
  await world.pass(10)
  const accepted = [(await status(fast)).accepted, (await status(slow)).accepted] as const
  expect(accepted[0] + accepted[1]).toBeLessThanOrEqual(110)
  expect(accepted[0]).toBeGreaterThan(2 * accepted[1])
  expect(accepted[1]).toBeGreaterThan(10)
  await ask('stop', { bulk_id: fast })
  await world.pass(5)
  expect((await status(slow)).accepted - accepted[1]).toBeGreaterThanOrEqual(40)
  await setPace(null)
  await world.pass(30)
  expect(await status(slow)).toMatchObject({ state: 'finished', accepted: 150 })
})

test('a stopped bulk cancels what no carrier has, and releases its money', async () => {
  await world.box.smsc.goDown()
  const id = await bulkOf(30, { pace: 10 })
  await ask('start', { bulk_id: id })
  await world.pass(3)
  const { accepted } = await status(id)
  expect(accepted).toBeGreaterThan(0)
  expect(await ask('stop', { bulk_id: id })).toMatchObject({ state: 'stopped', messages: { CANCELLED: accepted } })
  await world.box.smsc.comeBack()
  await world.pass(15)
  expect(await status(id)).toMatchObject({ messages: { CANCELLED: accepted }, price: 0 })
  expect(endsOf(id)).toEqual([expect.objectContaining({ state: 'stopped', accepted })])
  expect(await world.balances()).toMatchObject({ held: 0 })
})

test('a stopped bulk sends nothing more, and reports its end once its messages have ended', async () => {
  const id = await bulkOf(50, { pace: 5 })
  await ask('start', { bulk_id: id })
  await world.pass(3)
  await ask('stop', { bulk_id: id })
  const { accepted } = await status(id)
  await world.pass(15)
  const stopped = await status(id)
  expect(stopped).toMatchObject({
    state: 'stopped',
    accepted,
    waiting: 50 - accepted,
    messages: { DELIVERED: accepted },
  })
  expect(endsOf(id)).toEqual([expect.objectContaining({ state: 'stopped', accepted })])
})

test('other messages of the account are submitted before the rest of a bulk', async () => {
  const id = await bulkOf(600, { pace: 100 })
  const from = world.box.traffic.arrivals.length
  await ask('start', { bulk_id: id })
  await world.pass(2)
  const numbers = [1, 2, 3].map((n) => `4917099000${n}01`)
  await world.send(...numbers.map((phone) => ({ type: 'sms', phone, ...text })))
  await world.pass(2)
  const begun = world.box.traffic.arrivals.slice(from)
  expect(begun.filter(({ phone }) => numbers.includes(String(phone))).length).toBe(3)
  expect(begun.length).toBeLessThan(500)
  await world.pass(20)
  expect((await status(id)).messages).toEqual({ DELIVERED: 600 })
  expect(world.box.traffic.arrivals.length - from).toBe(603)
})

test('a step with many short links has fewer lines', async () => {
  const addresses = Array.from({ length: 40 }, (_, index) => `http://a.b/${index}`).join(' ')
  const message = { type: 'sms', sms_signature: 'SMSTest', sms_message: `{{name}} ${addresses}`, short_link: true }
  const id = await bulkOf(60, { message, pace: 1_000 })
  const { store } = world.gateway
  const steps: number[] = []
  const change = store.bulk.bind(store)
  store.bulk = (order) => {
    if (order.kind === 'send lines') {
      steps.push(order.request.items.reduce((sum, item) => sum + (item.kind === 'message' ? item.links.length : 0), 0))
    }
    return change(order)
  }
  await ask('start', { bulk_id: id })
  await world.pass(5)
  store.bulk = change
  expect(await status(id)).toMatchObject({ accepted: 60, refused: 0, waiting: 0 })
  expect(steps.reduce((sum, links) => sum + links, 0)).toBe(60 * 40)
  expect(Math.max(...steps)).toBeLessThanOrEqual(1_800)
})

test('a bulk of another account begins while twenty bulks of one wait for the database', async () => {
  await useOwnWorld(world, (own) => {
    world = own
  })
  const other = await ClientAccount.create(world, 'turns')
  const { store } = world.gateway
  const change = store.bulk.bind(store)
  const hung = Promise.withResolvers<void>()
  store.bulk = async (order) => {
    if (order.kind === 'send lines' && order.accountId === world.accountId) await hung.promise
    return change(order)
  }
  const many: number[] = []
  for (let each = 0; each < 20; each += 1) {
    many.push(await bulkOf(2, { pace: 40 }))
    await ask('start', { bulk_id: many.at(-1) })
  }
  await world.pass(2)
  const asOther = (type: string, fields: object) =>
    world.post({ auth: other.key, data: [{ type: `bulk/${type}`, ...fields }] })
  const { data: [made] = [] } = await asOther('create', { message })
  const id = made?.data['bulk_id']
  await fetch(`${world.gateway.address}/api/bulk/${id}/lines`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${other.key}`, 'Content-Type': 'text/csv' },
    body: `phone,name\n${phoneOf(777)},Ada`,
  })
  await asOther('start', { bulk_id: id })
  await world.pass(5)
  const { data: [found] = [] } = await asOther('status', { bulk_id: id })
  expect(found?.data).toMatchObject({ accepted: 1, messages: { DELIVERED: 1 } })
  store.bulk = change
  hung.resolve()
  await world.pass(20)
  for (const bulk of many) expect(await status(bulk)).toMatchObject({ accepted: 2, waiting: 0 })
})

test('a bulk whose lines are all sent ends although it is paused', async () => {
  const id = await bulkOf(2, { pace: 100 })
  await ask('start', { bulk_id: id })
  for (let waiting = 2; waiting > 0; ) {
    await world.pass(0.1)
    waiting = (await status(id)).waiting
  }
  expect((await ask('pause', { bulk_id: id })).state).not.toBe('paused')
  await world.pass(10)
  expect(await status(id)).toMatchObject({ state: 'finished', messages: { DELIVERED: 2 } })
  expect(endsOf(id)).toHaveLength(1)
})

test('a bulk pauses when the money is used up, and goes on after a payment without skipping a line', async () => {
  const { accountId } = world
  const { available } = await world.balances()
  const change = (amountMicros: number) =>
    world.operate((store) => {
      return store.change({ kind: 'correct', accountId, amountMicros: toMicros(amountMicros), at: world.clock.now() })
    })
  const [first] = await world
    .ask([{ type: 'price', send_type: 'sms', phone: phoneOf(0), ...text }])
    .then(({ data = [] }) => data)
  const price = Number(first?.data['price']) * 1_000_000
  await change(10 * price - available)
  const id = await bulkOf(30, { pace: 100 })
  const refused = await world.ask([{ type: 'bulk/start', bulk_id: id }])
  expect(refused.data?.[0]).toMatchObject({ success: false, error: 'Insufficient funds' })
  await ask('start', { bulk_id: id, ignore_balance: true })
  await world.pass(10)
  expect(await status(id)).toMatchObject({ state: 'paused', reason: 'funds', accepted: 10, waiting: 20, refused: 0 })
  await change(20 * price)
  await ask('start', { bulk_id: id })
  await world.pass(10)
  expect(await status(id)).toMatchObject({ state: 'finished', accepted: 30, waiting: 0, messages: { DELIVERED: 30 } })
  expect((await world.balances()).available).toBe(0)
  await change(available)
})
