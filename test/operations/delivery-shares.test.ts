/** Delivery shares that fall against their own past, as the statistics of a real store have them. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import { advance } from '../../src/domain/journey/journey.ts'
import { findFallenShares } from '../../src/operations/read/delivery-shares.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { StoreStory } from '../conformance/store/store-story.ts'
import { BEGINNING } from '../support/build-message.ts'
import { receipt, taken } from '../support/make-turn.ts'
import { TEST_KEYS } from '../support/test-keys.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MIDNIGHT = Math.floor(BEGINNING / DAY_MS) * DAY_MS + 10 * DAY_MS
const NOON = MIDNIGHT + 12 * HOUR_MS

let story: StoreStory
let client: AccountId
beforeEach(async () => {
  story = await StoreStory.begin(async () => ({
    open: () => openSqliteStore({ file: ':memory:', keys: TEST_KEYS, role: 'gateway', inline: true }),
    openTool: async () => story.store,
    remove: async () => {},
  }))
  client = await story.account(1e9)
})
afterEach(() => story.end())

interface Fates {
  readonly delivered?: number
  readonly failed?: number
  readonly underWay?: number
  readonly cancelled?: number
}

/** So many messages that start at this time, by what becomes of them. */
async function traffic(at: number, fates: Fates, operator = '26201') {
  const { delivered = 0, failed = 0, underWay = 0, cancelled = 0 } = fates
  for (let index = 0; index < delivered + failed + underWay; index += 1) {
    const message = await story.accepted(client, { createdAt: at, operator })
    const sent = await story.after(taken(message, [`ref-${message.id}`], { at: at + 1_000 }))
    const outcome = index < delivered ? 'delivered' : 'undeliverable'
    if (index < delivered + failed) await story.after(receipt(sent, outcome, { at: at + 2_000 }))
  }
  for (let index = 0; index < cancelled; index += 1) {
    const turn = advance(await story.accepted(client, { createdAt: at, operator }), { kind: 'cancelled', at })
    if (turn !== null) await story.after(turn)
  }
}

const found = async (maxDrop = 30) => {
  const observations = await findFallenShares(story.store, { now: NOON, maxDrop })
  return observations.map(({ subject, detail }) => `${subject}: ${detail}`)
}

test('a share that fell is found for the carrier and for the operator, if there is enough traffic', async () => {
  await traffic(MIDNIGHT - 2 * DAY_MS, { delivered: 450, failed: 50 })
  await traffic(NOON - 3 * HOUR_MS, { failed: 99 })
  expect(await found()).toEqual([])
  await traffic(NOON - 2 * HOUR_MS, { delivered: 100, failed: 1 })
  const detail = '50.0 % of 200 messages were delivered, 90.0 % in the week before'
  expect(await found()).toEqual([`carrier carrier-1: ${detail}`, `operator 26201 by sms: ${detail}`])
  expect(await found(50)).toEqual([])
})

test('messages under way and cancelled ones are no part of the share, now or in the week before', async () => {
  await traffic(MIDNIGHT - DAY_MS, { delivered: 500, failed: 100, underWay: 100, cancelled: 100 })
  await traffic(NOON - 3 * HOUR_MS, { delivered: 100, underWay: 90, cancelled: 200 })
  expect(await found(5)).toEqual([])
  await traffic(NOON - 2 * HOUR_MS, { failed: 100 })
  const detail = '50.0 % of 200 messages were delivered, 83.3 % in the week before'
  expect(await found()).toEqual([`carrier carrier-1: ${detail}`, `operator 26201 by sms: ${detail}`])
})

test('a carrier that sends no receipts any more is found, although none of its messages failed', async () => {
  await traffic(MIDNIGHT - DAY_MS, { delivered: 500 })
  await traffic(NOON - 2 * HOUR_MS, { delivered: 100, underWay: 101 })
  const detail = '49.8 % of 201 messages have ended, 100.0 % in the week before: receipts are missing'
  expect(await found()).toEqual([`carrier carrier-1: ${detail}`, `operator 26201 by sms: ${detail}`])
})

test('the last hour does not count, because receipts may still come, and an operator without a past is left out', async () => {
  await traffic(MIDNIGHT - DAY_MS, { delivered: 500 })
  await traffic(NOON - 2 * HOUR_MS, { delivered: 90, failed: 10 })
  await traffic(NOON - HOUR_MS, { failed: 100 })
  await traffic(NOON, { failed: 100 })
  expect(await found()).toEqual([])
  await traffic(NOON - 4 * HOUR_MS, { failed: 100 }, '26202')
  expect(await found()).toEqual([
    'carrier carrier-1: 45.0 % of 200 messages were delivered, 100.0 % in the week before',
  ])
})
