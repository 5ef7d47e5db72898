/** A recipient opts out while messages wait in memory: for the rate of their sender, or for a slow carrier. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import { type Smsc, startSmsc } from '../../src/simulator/smpp/smsc.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const ANNA = '37120000100'
const BORIS = '37120000200'
/** Are sent to by a carrier of one message a second. */
const CLARA = '37129900100'
const DAVID = '37129900200'

let world: SandboxWorld
let slow: Smsc
beforeEach(async () => {
  world = await SandboxWorld.start(3_600)
  const { clock, box } = world
  const login = { systemId: 'slow', password: 'secret' }
  slow = await startSmsc({ clock, random: new SeededRandom(2), traffic: box.traffic, ...login })
  const settings = { host: '127.0.0.1', port: slow.port, ...login, throughput: 1 }
  const route = { prefix: '371299', operators: null, priority: 0, poolId: null }
  await world.operate((store) => addCarrier(store, () => {}, { id: 'slow', kind: 'smpp', settings, route }))
  await approve({ name: '1234', per_second: 0.4 })
  await approve({ name: '5678' })
  await world.carriersUp()
  // Of several gateways this one first gets its part of the throughput.
  await world.pass(5)
})
afterEach(async () => {
  await world.stop()
  await slow.stop()
})

const approve = async (sender: object) => {
  const body = { account: 1, channel: 'sms', ...sender }
  expect(await world.askAdmin('POST', '/senders/approve', { body })).toMatchObject({ status: 200 })
}
const sms = (phone: string, sender: string) => {
  return { type: 'sms', phone, sms_signature: sender, sms_message: 'Sale!' }
}
const sendTo = (phone: string, sender: string, count: number) =>
  world.send(...Array.from({ length: count }, () => sms(phone, sender)))
const writes = async (from: string, text: string, to: string) => {
  expect(await world.box.smsc.write({ from, to, text })).toMatchObject({ answer: { status: 0 } })
}
const optOut = async (phone: string, sender: string | null) => {
  const answer = await world.askAdmin('POST', '/accounts/1/opt-outs', { body: { phone, sender } })
  expect(answer).toMatchObject({ status: 200 })
}
const countOf = async (ids: readonly MessageId[]) => {
  const steps = (await world.stories(ids)).map((story) => story.steps[0] ?? '')
  return Object.fromEntries(
    Map.groupBy(steps, (step) => step)
      .entries()
      .map(([step, all]) => [step, all.length]),
  )
}

test('messages that wait for the rate of their sender are filtered, and not charged', async () => {
  const before = await world.balances()
  const ids = [...(await sendTo(ANNA, '1234', 6)), ...(await sendTo(BORIS, '1234', 2))]
  await world.rest()
  expect(world.box.traffic.arrivals).toHaveLength(1)
  await writes(ANNA, 'STOP', '1234')
  await optOut(BORIS, '1234')
  await world.pass(30)
  expect(await countOf(ids)).toEqual({ 'sms DELIVERED': 1, 'sms FILTERED': 7 })
  expect(world.box.traffic.arrivals).toHaveLength(1)
  expect((await world.balances()).available).toBe(before.available - toMicros(50_000))
})

test('messages that wait for a slow carrier are filtered, what it has been given and what it has not', async () => {
  const ids = [...(await sendTo(CLARA, '5678', 40)), ...(await sendTo(DAVID, '5678', 2))]
  await world.rest()
  const { length } = world.box.traffic.arrivals
  expect(length).toBeLessThan(5)
  await writes(CLARA, 'STOP', '5678')
  await optOut(DAVID, null)
  await world.pass(90)
  expect(world.box.traffic.arrivals).toHaveLength(length)
  expect(await countOf(ids)).toEqual({ 'sms DELIVERED': length, 'sms FILTERED': 42 - length })
})

test('an opt-out that another process stores applies too', async () => {
  const ids = await sendTo(ANNA, '1234', 4)
  await world.rest()
  const { accountId, clock } = world
  const phone = ANNA as Phone
  await world.operate(async (store) => {
    const optOut = { accountId, sender: '1234', phone, by: 'hand', at: clock.now() } as const
    await store.change({ kind: 'change opt-outs', changes: [{ kind: 'add', optOut }] })
  })
  await world.pass(20)
  expect(await countOf(ids)).toEqual({ 'sms DELIVERED': 1, 'sms FILTERED': 3 })
})

test('what waits until the opt-out is removed is sent', async () => {
  const ids = await sendTo(ANNA, '1234', 4)
  await world.rest()
  await optOut(ANNA, '1234')
  const body = { phone: ANNA, sender: '1234' }
  expect(await world.askAdmin('POST', '/accounts/1/opt-outs/remove', { body })).toMatchObject({ status: 204 })
  await world.pass(20)
  expect(await countOf(ids)).toEqual({ 'sms DELIVERED': 4 })
})

test('what another sender has for the recipient is sent', async () => {
  const [own, others] = [await sendTo(CLARA, '1234', 4), await sendTo(CLARA, '5678', 4)]
  await world.rest()
  await writes(CLARA, 'STOP', '1234')
  await world.pass(60)
  expect(await countOf(own)).toEqual({ 'sms DELIVERED': 1, 'sms FILTERED': 3 })
  expect(await countOf(others)).toEqual({ 'sms DELIVERED': 4 })
})

test('an unsubscribe link stops what waits for the sender of the message', async () => {
  await approve({ name: '1234', per_second: null })
  await world.sendOne({ ...sms(ANNA, '1234'), unsubscribe_link: true })
  await world.pass(3)
  const link = /http\S+\/u\/\S+/.exec(world.box.traffic.arrivals[0]?.text ?? '')?.[0] ?? ''
  await approve({ name: '1234', per_second: 0.1 })
  const ids = await sendTo(ANNA, '1234', 3)
  await world.rest()
  const token = /name="token" value="([A-Za-z0-9]+)"/.exec(await (await fetch(link)).text())?.[1] ?? ''
  const body = new URLSearchParams({ token, action: 'out' })
  expect((await fetch(link, { method: 'POST', body, redirect: 'manual' })).status).toBe(303)
  await world.pass(40)
  expect(await countOf(ids)).toEqual({ 'sms DELIVERED': 1, 'sms FILTERED': 2 })
})

test('STOP to one member of a pool stops what waits for the rates of the others', async () => {
  await approve({ name: '9876' })
  await approve({ name: 'Shop', members: ['1234', '9876'] })
  await approve({ name: '9876', per_second: 0.4 })
  const ids = await sendTo(ANNA, 'Shop', 4)
  await world.rest()
  const [shown] = world.box.traffic.arrivals.map(({ sender }) => sender)
  await writes(ANNA, 'STOP', shown === '1234' ? '9876' : '1234')
  await world.pass(20)
  expect(await countOf(ids)).toEqual({ 'sms DELIVERED': 1, 'sms FILTERED': 3 })
})
