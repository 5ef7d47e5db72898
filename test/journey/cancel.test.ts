/** Messages that their client takes back, on their whole way: money, hook, phone, and a gateway that starts again. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { LIFETIME_SECONDS, SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
let earnedBefore: number
beforeEach(async () => {
  world = await SandboxWorld.start()
  earnedBefore = (await world.balances()).earned
})
afterEach(() => world.stop())

const inSeconds = (seconds: number) => new Date(world.clock.now() + seconds * 1_000).toISOString()

async function cancel(...ids: readonly MessageId[]): Promise<readonly unknown[]> {
  const { data } = await world.ask(ids.map((msg_id) => ({ type: 'cancel', msg_id })))
  return (data ?? []).map((result) => (result.success ? result.data['status'] : result.error))
}

const CANCELLED = {
  steps: ['rcs CANCELLED'],
  timeline: ['rcs cancelled'],
  revoked: [],
  money: ['hold 0.03', 'release 0.03'],
  arrived: [],
}

async function expectAllReleased(): Promise<void> {
  const { held, earned } = await world.balances()
  expect([held, earned - earnedBefore]).toEqual([0, 0])
  expect(await world.gateway.store.counts()).toMatchObject({ open: 0, pendingReports: 0 })
}

test('planned for later: nothing is sent or paid, and the cancellation is reported', async () => {
  const send_at = inSeconds(600)
  const id = await world.sendOne(rcsItem('491701271000', { send_at }))
  expect(await cancel(id)).toEqual(['CANCELLED'])
  await world.pass(700)
  const reports = [`CANCELLED by rcs for 0, sent at ${send_at}: cancelled by the client`]
  expect(await world.story(id)).toEqual({ ...CANCELLED, reports })
  await expectAllReleased()
})

test('asked for by several requests at once: each is answered alike', async () => {
  const id = await world.sendOne(rcsItem('491701271100', { send_at: inSeconds(600) }))
  const answers = await Promise.all([1, 2, 3, 4].map(() => cancel(id)))
  expect(answers).toEqual([1, 2, 3, 4].map(() => ['CANCELLED']))
  await world.pass(2)
  const { timeline, reports } = await world.story(id)
  expect(timeline).toEqual(['rcs cancelled'])
  expect(reports).toHaveLength(1)
})

test('in line for a carrier that is away, and after the gateway has started again', async () => {
  const [planned] = await world.send(rcsItem('491701272000', { send_at: inSeconds(300) }))
  await world.box.rbm.goDown()
  const [waiting] = await world.send(rcsItem('491701272001'))
  const ids = [planned, waiting] as [MessageId, MessageId]
  await world.rest()
  expect(await cancel(ids[1])).toEqual(['CANCELLED'])
  await world.stopGateway()
  await world.box.rbm.comeBack()
  await world.startGateway()
  expect(await cancel(...ids)).toEqual(['CANCELLED', 'CANCELLED'])
  await world.pass(400)
  for (const story of await world.stories(ids)) {
    const { timeline, ...rest } = CANCELLED
    expect(story).toMatchObject(rest)
    expect(story.timeline).toEqual(expect.arrayContaining(timeline))
    expect(story.reports).toHaveLength(1)
  }
  await expectAllReleased()
})

test('too late once a carrier has it, in whatever step', async () => {
  const chain = chainItem('491701273005', { rcs_lifetime: LIFETIME_SECONDS })
  const ids = (await world.send(rcsItem('491701273004'), chain)) as [MessageId, MessageId]
  await world.pass(2)
  expect(await cancel(...ids)).toEqual(['Too late to cancel', 'Too late to cancel'])
  await world.pass(LIFETIME_SECONDS)
  expect((await world.story(ids[1])).steps).toEqual(['rcs EXPIRED', 'chatapp ACCEPTED'])
  expect(await cancel(...ids)).toEqual(['Too late to cancel', 'Too late to cancel'])
})
