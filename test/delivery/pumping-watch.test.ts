/**
 * Traffic to a prefix is counted, and what leaves its pattern is stopped: under the clock of the test, over a real
 * store.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PumpingWatch } from '../../src/delivery/alarms/pumping-watch.ts'
import { Directory } from '../../src/domain/directory/directory.ts'
import { DEFAULT_GUARD_SETTINGS } from '../../src/domain/guards/guard-settings.ts'
import type { TrafficAlarm } from '../../src/domain/guards/traffic-alarm.ts'
import { type AccountId, toAccountId } from '../../src/domain/ids/account-id.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { confirmAlarm, liftAlarm } from '../../src/operations/admin/guards/traffic-alarms.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { buildMessage, buildPlan } from '../support/build-message.ts'
import { SilentLog } from '../support/silent-log.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const PHONE = '37120000000' as Phone
const PREFIX = '3712000'
const ONE = toAccountId(1)
const RULE = { floor: 100, factor: 5, stopMinutes: 60 }

let store: Store
let clock: VirtualClock
let log: SilentLog
let directory: Directory
let alarms: TrafficAlarm[]
let watch: PumpingWatch

async function refresh(): Promise<void> {
  directory = new Directory(await store.loadDirectory())
}

const set = async (pumping: typeof RULE | null) => {
  await store.change({ kind: 'set guard settings', settings: { ...DEFAULT_GUARD_SETTINGS, pumping } })
  await refresh()
}

beforeEach(async () => {
  store = await openSqliteStore({ file: ':memory:', keys: TEST_KEYS, inline: true })
  clock = new VirtualClock()
  log = new SilentLog()
  alarms = []
  await set(RULE)
  watch = newWatch()
})
afterEach(() => store.close())

function newWatch(): PumpingWatch {
  const onAlarm = (alarm: TrafficAlarm) => void alarms.push(alarm)
  return new PumpingWatch({ store, directory: () => directory, clock, log, onAlarm, refresh })
}

function send(count: number, accountId: AccountId = ONE, channel: 'sms' | 'call' = 'sms', by = watch): void {
  const message = buildMessage({ accountId, phone: PHONE, plan: buildPlan(channel) })
  by.count(Array.from({ length: count }, () => message))
}

const isStopped = (accountId = ONE, kind: 'messages' | 'calls' = 'messages') =>
  directory.guards.isStopped(accountId, kind, PHONE, clock.now())

describe('traffic to a prefix', () => {
  test('does not count test messages', async () => {
    const message = buildMessage({ accountId: ONE, phone: PHONE, plan: buildPlan('sms'), test: true })
    watch.count(Array.from({ length: 1_000 }, () => message))
    await watch.look()
    expect(alarms).toEqual([])
  })

  test('that is beyond the floor is stopped for the account that it comes from, and for no other', async () => {
    send(100)
    await watch.look()
    expect(alarms).toEqual([])
    send(1)
    await watch.look()
    expect(alarms).toMatchObject([{ accountId: ONE, kind: 'messages', prefix: PREFIX, seen: 101, state: 'stopped' }])
    expect([isStopped(), isStopped(toAccountId(2)), isStopped(ONE, 'calls')]).toEqual([true, false, false])
    expect(log.lines).toMatchObject([{ level: 'warn' }])
    expect(JSON.stringify(log.lines)).not.toContain(PHONE)
    clock.advance(RULE.stopMinutes * 60_000)
    expect(isStopped()).toBe(false)
  })

  test('that comes from many accounts is stopped for all', async () => {
    for (let account = 1; account <= 11; account += 1) send(10, toAccountId(account))
    await watch.look()
    expect(alarms).toMatchObject([{ accountId: null, seen: 110 }])
    expect([isStopped(), isStopped(toAccountId(99))]).toEqual([true, true])
  })

  test('of calls is watched apart', async () => {
    send(60)
    send(60, ONE, 'call')
    await watch.look()
    expect(alarms).toEqual([])
    send(60, ONE, 'call')
    await watch.look()
    expect(alarms).toMatchObject([{ kind: 'calls' }])
  })

  test('is added up over nodes, and over looks of five minutes', async () => {
    const other = newWatch()
    send(60)
    send(30, ONE, 'sms', other)
    await Promise.all([watch.look(), other.look()])
    expect(alarms).toEqual([])
    clock.advance(60_000)
    send(30, ONE, 'sms', other)
    await other.look()
    expect(alarms).toMatchObject([{ accountId: ONE, seen: 120 }])
  })

  test('that is usual is no alarm, and five times as much is', async () => {
    for (let slot = 0; slot < 3 * 288; slot += 1) {
      send(50)
      await watch.look()
      clock.advance(300_000)
    }
    send(150)
    await watch.look()
    expect(alarms).toEqual([])
    send(100)
    await watch.look()
    expect(alarms).toHaveLength(1)
  })

  test('only raises an alarm where nothing is to be stopped, once in an hour', async () => {
    await set({ ...RULE, stopMinutes: 0 })
    for (let round = 0; round < 3; round += 1) {
      send(200)
      await watch.look()
    }
    expect(alarms).toMatchObject([{ state: 'raised' }])
    expect(isStopped()).toBe(false)
    clock.advance(3_600_000)
    send(2_000)
    await watch.look()
    expect(alarms).toHaveLength(2)
  })

  test('is not counted without a rule', async () => {
    await set(null)
    send(1_000)
    await watch.look()
    await set(RULE)
    await watch.look()
    expect(alarms).toEqual([])
  })
})

describe('an operator', () => {
  const key = { accountId: ONE, kind: 'messages', prefix: PREFIX } as const
  beforeEach(async () => {
    send(500)
    await watch.look()
  })

  test('lifts an alarm: traffic goes again, and is left alone for a day', async () => {
    await liftAlarm(store, clock, key)
    await refresh()
    expect(isStopped()).toBe(false)
    send(500)
    await watch.look()
    expect(alarms).toHaveLength(1)
    clock.advance(86_400_000)
    send(20_000)
    await watch.look()
    expect(alarms).toHaveLength(2)
  })

  test('confirms an alarm: nothing goes there until it is lifted', async () => {
    await confirmAlarm(store, key)
    await refresh()
    clock.advance(30 * 86_400_000)
    expect(isStopped()).toBe(true)
    await liftAlarm(store, clock, key)
    await refresh()
    expect(isStopped()).toBe(false)
  })

  test('is refused if there is no such alarm', async () => {
    await expect(liftAlarm(store, clock, { ...key, prefix: '49' })).rejects.toThrow(
      'there is no such alarm: see posthorn alarm traffic',
    )
  })
})
