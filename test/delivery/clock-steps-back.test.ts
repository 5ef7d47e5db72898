/** The machine's clock is set back while messages wait: none of them is forgotten. */

import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sharedLimits } from '../../src/carriers/shared-limits.ts'
import { Delivery } from '../../src/delivery/delivery.ts'
import { Directory } from '../../src/domain/directory/directory.ts'
import type { Verdict } from '../../src/domain/message/journey-event.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { NO_HOOKS } from '../../src/domain/reports/client-hook.ts'
import type { Carrier } from '../../src/ports/carriers/carrier.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import type { Clock } from '../../src/ports/system/clock.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { approveSender, buildAccount, buildMessage } from '../support/build-message.ts'
import { eventually } from '../support/eventually.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { SilentLog } from '../support/silent-log.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const AN_HOUR_MS = 3_600_000

let setBackMs: number
let submitted: number[]
let answers: ((verdicts: readonly Verdict[]) => void)[]
let database: DatabaseSync
let store: Store

const virtual = new VirtualClock()
const clock: Clock = {
  now: () => virtual.now() - setBackMs,
  monotonic: () => virtual.now(),
  after: (milliseconds, run) => virtual.after(milliseconds, run),
}

/** One message at a time, and each answered only when the test says so. */
const carrier: Carrier = {
  id: 'narrow',
  channel: 'sms',
  window: 1,
  start: () => {},
  submit: ({ messageId }) => {
    submitted.push(messageId)
    return new Promise((answer) => answers.push(answer))
  },
  state: () => ({ up: true, since: 0, inFlight: 0, lastError: null, lastErrorAt: null, throughput: null, links: [] }),
  stop: async () => {},
}

beforeEach(async () => {
  setBackMs = 0
  submitted = []
  answers = []
  database = new DatabaseSync(':memory:')
  store = await openStore()
  const account = buildAccount()
  await store.change({ kind: 'create account', account })
  await approveSender(store, account.id)
  await store.change({ kind: 'top up', accountId: account.id, amountMicros: toMicros(1_000_000), at: 0 })
  await store.change({ kind: 'set carrier', carrier: { id: 'narrow', channel: 'sms', kind: 'narrow', settings: {} } })
  const route = {
    channel: 'sms',
    prefix: '',
    operators: null,
    carrierId: 'narrow',
    accountId: null,
    sender: null,
    weight: 1,
    priority: 0,
    poolId: null,
  } as const
  await store.change({ kind: 'set route', route })
})
afterEach(() => store.close())

function openStore(): Promise<Store> {
  return openSqliteStore({ file: ':memory:', keys: TEST_KEYS, inline: true, database })
}

async function startDelivery(): Promise<Delivery> {
  const directory = new Directory(await store.loadDirectory())
  const delivery = new Delivery({
    sharedLimits,
    receiptOrigins: () => [],
    store,
    hookPost: { post: async () => ({ kind: 'answered', status: 200, retryAfterMs: null }), stop: async () => {} },
    directory: () => directory,
    hooksOf: () => NO_HOOKS,
    lookup: { operatorOf: () => null },
    clock,
    random: new SeededRandom(),
    log: new SilentLog(),
    createCarrier: () => carrier,
    currency: 'EUR',
    onTurn: () => {},
    refresh: async () => {},
    limits: { maxHeld: 100, maxKept: 100 },
  })
  delivery.start()
  return delivery
}

async function accept(counter: number): Promise<Message> {
  const message = buildMessage({ counter, createdAt: clock.now() })
  const items = [{ kind: 'message', message, waits: false, links: [], uniqueId: false } as const]
  await store.accept({ accountId: message.accountId, now: clock.now(), idempotency: null, items })
  return message
}

test('of those in line for a carrier', async () => {
  const delivery = await startDelivery()
  const messages = [await accept(1), await accept(2)]
  delivery.pump.take(messages, null)
  await eventually('the first submit', () => submitted.length === 1)
  setBackMs = AN_HOUR_MS
  answers[0]?.([{ kind: 'taken', ref: 'a' }])
  await eventually('the second submit', () => submitted.length === 2)
  expect(submitted).toEqual(messages.map(({ id }) => id))
})

test('of messages that a dead node held', async () => {
  const { id } = await accept(1)
  setBackMs = AN_HOUR_MS
  await store.close()
  store = await openStore()
  await startDelivery()
  await eventually('the submit', () => submitted.length === 1)
  expect(submitted).toEqual([id])
})
