/** The history of a carrier by day: deliveries, errors, and how long it was in which state, also across a restart. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dayNumber } from '../../src/domain/routing/carrier-time.ts'
import { eventually } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { smsItem } from '../support/send-items.ts'

const NOON = Date.UTC(2026, 10, 30, 12)
const HISTORY = '/carriers/sandbox-sms/history'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start(undefined, NOON)
})
afterEach(() => world.stop())

interface Day {
  readonly day: string
  readonly taken: number
  readonly states: Readonly<Record<string, number>>
}

async function days(query = '') {
  const { body } = await world.askAdmin('GET', `${HISTORY}${query}`)
  return (body as { readonly data: readonly Day[] }).data
}
/** In steps in which a gateway looks at its carriers. */
async function pass(seconds: number) {
  for (let passed = 0; passed < seconds; passed += 5) await world.pass(5)
}
const today = async () => (await days()).at(-1)

test('a carrier that fails, is drained and comes back has the time of each state, also after a restart', async () => {
  await world.send(smsItem('491701234500'))
  await pass(120)
  await world.box.smsc.goDown()
  await pass(300)
  await world.box.smsc.comeBack()
  await world.carriersUp()
  await world.askAdmin('POST', '/carriers/sandbox-sms/drain')
  await pass(180)
  await world.stopGateway()
  await world.startGateway()
  await world.carriersUp()
  const [first, ...others] = await days()
  expect(first).toMatchObject({ day: '2026-11-01', taken: 0, delivered_of_taken: null, errors: [] })
  expect(others).toHaveLength(29)
  expect(await today()).toMatchObject({ day: '2026-11-30', taken: 1, delivered: 1, delivered_of_taken: 1 })
  const { connected = 0, stopped = 0, draining = 0 } = (await today())?.states ?? {}
  expect(connected).toBeGreaterThanOrEqual(100)
  expect(stopped).toBeGreaterThanOrEqual(280)
  expect(draining).toBeGreaterThanOrEqual(150)

  // The next minutes are added to those before the restart.
  await pass(120)
  await eventually('more time', async () => ((await today())?.states['draining'] ?? 0) >= draining + 60)
})

test('days end at midnight in UTC, and are kept for five weeks', async () => {
  await pass(70)
  const today = dayNumber(NOON)
  const { store } = world.gateway
  const seen = await store.carrierTimes('sandbox-sms', 0)
  expect(seen).toMatchObject([{ day: today, state: 'connected' }])
  const old = { ...seen[0], carrierId: 'sandbox-sms', day: today - 36, node: 0, state: 'stopped', seconds: 9 } as const
  const gone = { ...old, carrierId: 'removed' }
  await store.change({ kind: 'add carrier times', times: [old, gone], expired: [] })
  expect(await store.carrierTimes('sandbox-sms', 0)).toHaveLength(2)
  expect(await store.carrierTimes('removed', 0)).toEqual([])
  await store.change({ kind: 'add carrier times', times: [], expired: [today - 36] })
  expect(await store.carrierTimes('sandbox-sms', 0)).toMatchObject([{ day: today }])
})

test('the CSV file has the same days; an unknown carrier and too many days are refused', async () => {
  await pass(70)
  const { body } = await world.askAdmin('GET', `${HISTORY}/csv?days=2`)
  const [head, yesterday, now] = String((body as { readonly csv: string }).csv)
    .trim()
    .split(/\r?\n/)
  expect(head).toMatch(/^day,taken,delivered,.*,errors,connected_seconds,.*,stopped_seconds$/)
  expect(yesterday).toMatch(/^2026-11-29,0,0,/)
  expect(now).toMatch(/^2026-11-30,/)
  expect((await world.askAdmin('GET', '/carriers/none/history')).status).toBe(404)
  expect((await world.askAdmin('GET', `${HISTORY}?days=31`)).status).toBe(400)
})
