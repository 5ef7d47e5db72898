/** The history of a carrier by day: deliveries, errors, and how long it was in which state, also across a restart. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { printResult } from '../../src/cli/command/write-answer.ts'
import { type CarrierCondition, dayNumber } from '../../src/domain/routing/carrier-time.ts'
import { endpointNamed } from '../../src/operations/admin/endpoints.ts'
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
  readonly down_seconds: number
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
  expect((await today())?.down_seconds).toBeGreaterThanOrEqual(stopped)

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

test('an outage is as long as it was, per day and in all, and with several gateways the mean of them', async () => {
  const today = dayNumber(NOON)
  const time = (daysAgo: number, state: CarrierCondition, seconds: number, node = 0) => {
    return { carrierId: 'sandbox-sms', day: today - daysAgo, node, state, seconds }
  }
  const times = [
    ...[time(2, 'connected', 40_000), time(2, 'stopped', 4_320), time(2, 'breaker_open', 60)],
    // Of two gateways, one had no connection for two hours.
    ...[time(1, 'connected', 86_400, 1), time(1, 'connected', 79_200, 2), time(1, 'stopped', 7_200, 2)],
  ]
  await world.gateway.store.change({ kind: 'add carrier times', times, expired: [] })
  const { body } = await world.askAdmin('GET', `${HISTORY}?days=3`)
  expect(body).toMatchObject({
    data: [
      { states: { connected: 40_000, stopped: 4_320, breaker_open: 60 }, down_seconds: 4_380 },
      { states: { connected: 82_800, stopped: 3_600 }, down_seconds: 3_600 },
      { down_seconds: 0 },
    ],
    total: { taken: 0, delivered_of_taken: null, down_seconds: 7_980, states: { stopped: 7_920 } },
  })
  const lines = printResult(endpointNamed('showCarrierHistory'), body).split('\n')
  expect(lines[1]).toMatch(/1 h 13 min .*connected 11 h 6 min; breaker_open 1 min; stopped 1 h 12 min/)
  expect(lines.at(-1)).toMatch(/^total .* 2 h 13 min .*stopped 2 h 12 min/)
})

test('the CSV file has the same days; an unknown carrier and too many days are refused', async () => {
  await pass(70)
  const { body } = await world.askAdmin('GET', `${HISTORY}/csv?days=2`)
  const [head, yesterday, now, total] = String((body as { readonly csv: string }).csv)
    .trim()
    .split(/\r?\n/)
  expect(head).toMatch(/^day,taken,delivered,.*,down_seconds,errors,connected_seconds,.*,stopped_seconds$/)
  expect(yesterday).toMatch(/^2026-11-29,0,0,/)
  expect(now).toMatch(/^2026-11-30,/)
  expect(total).toMatch(/^total,0,0,/)
  expect((await world.askAdmin('GET', '/carriers/none/history')).status).toBe(404)
  expect((await world.askAdmin('GET', `${HISTORY}?days=31`)).status).toBe(400)
})
