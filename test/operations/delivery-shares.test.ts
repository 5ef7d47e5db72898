/** Delivery shares that fall against their own past, as the statistics of a real store have them. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
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

/** Messages that start at this time, of which so many are delivered. */
async function traffic(at: number, count: number, delivered: number, operator = '26201') {
  for (let index = 0; index < count; index += 1) {
    const message = await story.accepted(client, { createdAt: at, operator })
    const sent = await story.after(taken(message, [`ref-${message.id}`], { at: at + 1_000 }))
    if (index < delivered) await story.after(receipt(sent, 'delivered', { at: at + 2_000 }))
  }
}

const found = async (maxDrop = 30) => {
  const observations = await findFallenShares(story.store, { now: NOON, maxDrop })
  return observations.map(({ subject, detail }) => `${subject}: ${detail}`)
}

test('a share that fell is found for the carrier and for the operator, if there is enough traffic', async () => {
  await traffic(MIDNIGHT - 2 * DAY_MS, 500, 450)
  await traffic(NOON - 3 * HOUR_MS, 99, 0)
  expect(await found()).toEqual([])
  await traffic(NOON - 2 * HOUR_MS, 101, 100)
  const detail = '50.0 % of 200 messages were delivered, 90.0 % in the week before'
  expect(await found()).toEqual([`carrier carrier-1: ${detail}`, `operator 26201 by sms: ${detail}`])
  expect(await found(50)).toEqual([])
})

test('the last hour does not count, because receipts may still come, and an operator without a past is left out', async () => {
  await traffic(MIDNIGHT - DAY_MS, 500, 500)
  await traffic(NOON - 2 * HOUR_MS, 100, 90)
  await traffic(NOON - HOUR_MS, 100, 0)
  await traffic(NOON, 100, 0)
  expect(await found()).toEqual([])
  await traffic(NOON - 4 * HOUR_MS, 100, 0, '26202')
  expect(await found()).toEqual([
    'carrier carrier-1: 45.0 % of 200 messages were delivered, 100.0 % in the week before',
  ])
})
