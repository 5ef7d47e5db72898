/** Messages that are planned for a time, on their whole way. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { LIFETIME_SECONDS, SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const inSeconds = (seconds: number) => new Date(world.clock.now() + seconds * 1_000).toISOString()

test('nothing happens before its time; then it is sent, and the report has the time', async () => {
  const sendAt = inSeconds(600)
  const id = await world.sendOne(rcsItem('491701251000', { send_at: sendAt }))
  await world.pass(599)
  expect(world.box.traffic.to('491701251000')).toEqual([])
  expect((await world.balances()).held).toBe(30_000)
  expect((await world.trace(id)).message.journey.status).toBe('QUEUED')
  await world.pass(3)
  expect(await world.story(id)).toEqual({
    steps: ['rcs DELIVERED'],
    timeline: ['rcs taken', 'rcs delivered'],
    revoked: [],
    money: ['hold 0.03', 'charge 0.03'],
    arrived: ['rcs'],
    reports: [`DELIVERED by rcs for 0.03, sent at ${sendAt}`],
  })
})

test('lifetimes of a planned message begin at its time, even if the gateway was stopped at that time', async () => {
  const dueAt = world.clock.now() + 600_000
  const early = await world.sendOne(
    chainItem('491701252005', { send_at: inSeconds(600), rcs_lifetime: LIFETIME_SECONDS }),
  )
  const missed = await world.sendOne(rcsItem('491701253000', { send_at: inSeconds(60), rcs_lifetime: 300 }))
  const expired = await world.sendOne(
    rcsItem('491701254000', { send_at: inSeconds(60), rcs_lifetime: LIFETIME_SECONDS }),
  )
  await world.stopGateway()
  world.clock.advance(200_000)
  await world.startGateway()
  const isDelivered = async () => (await world.story(missed)).steps[0] === 'rcs DELIVERED'
  await eventually('the missed message to be delivered', isDelivered, { clock: world.clock })
  await world.rest()
  expect(await world.story(expired)).toMatchObject({
    steps: ['rcs EXPIRED'],
    arrived: [],
    money: ['hold 0.03', 'release 0.03'],
  })
  expect((await world.story(early)).timeline).toEqual([])
  // Starting again has turned the clock as far as it had to.
  await world.pass((dueAt - world.clock.now()) / 1_000 - 2)
  expect((await world.story(early)).timeline).toEqual([])
  await world.pass(2 * LIFETIME_SECONDS + 7)
  expect(await world.story(early)).toMatchObject({
    steps: ['rcs EXPIRED', 'chatapp EXPIRED', 'sms DELIVERED'],
    money: ['hold 0.05', 'charge 0.05'],
  })
})

test('messages that were forwarded for a carrier which no node has any more are sent all the same', async () => {
  const id = await world.sendOne(rcsItem('491701255000', { send_at: inSeconds(3_600) }))
  const { store } = world.gateway
  const now = world.clock.now()
  const { messages } = await store.claimDue({ now: now + 3_700_000, limit: 1 })
  expect(messages.map((message) => message.id)).toEqual([id])
  const version = messages[0]?.journey.version ?? 0
  const order = { messageId: id, version, channel: 'rcs', carriers: ['gone'], routing: '', tenant: 6 } as const
  await store.enqueue([{ ...order, dueAt: now + 60_000 }])
  await world.pass(180)
  expect((await world.story(id)).steps).toEqual(['rcs DELIVERED'])
})
