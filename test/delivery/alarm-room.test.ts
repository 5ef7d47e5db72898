/** What clients and carriers cause does not keep alarms from being opened, and their words do not deform them. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AlarmCheck, AlarmWatch } from '../../src/delivery/alarms/alarm-watch.ts'
import { ALARM_KINDS, type AlarmKind, type Observation } from '../../src/domain/alarms/alarm.ts'
import { alarmRules } from '../../src/domain/alarms/alarm-rule.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { SilentLog } from '../support/silent-log.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

let store: Awaited<ReturnType<typeof openSqliteStore>>
let watch: AlarmWatch
let log: SilentLog
let found: readonly Observation[]
beforeEach(async () => {
  store = await openSqliteStore({ file: ':memory:', keys: TEST_KEYS, inline: true })
  log = new SilentLog()
  found = []
  const rules = alarmRules(
    ALARM_KINDS.map((kind) => ({ kind, enabled: true, openAfterSeconds: 0, resolveAfterSeconds: 0, threshold: null })),
  )
  const checks: readonly AlarmCheck[] = [{ kinds: ALARM_KINDS, everyMs: 0, look: async () => found }]
  watch = new AlarmWatch({ store, checks, rules, targets: () => [], clock: new VirtualClock(), log })
})
afterEach(() => store.close())

const many = (kind: AlarmKind, change: Partial<Observation> = {}) =>
  Array.from({ length: 150 }, (_, at): Observation => {
    return { kind, subject: `account ${at}`, severity: 'warning', detail: 'x', ...change }
  })
const DOWN: Observation = { kind: 'carrier_down', subject: 'acme', severity: 'critical', detail: 'away' }

async function countOpen() {
  const { alarms } = await store.alarms()
  const open = alarms.filter(({ state }) => state !== 'resolved')
  return Object.fromEntries([...Map.groupBy(open, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]))
}

test('a carrier that goes down opens its alarm beside all that clients can open', async () => {
  const byClients = [...many('hook_stopped'), ...many('balance_low'), ...many('pumping'), ...many('delivery_share')]
  found = byClients
  await watch.look()
  const most = { hook_stopped: 100, balance_low: 100, pumping: 100, delivery_share: 100 }
  expect(await countOpen()).toEqual(most)
  const refused = log.lines.filter(({ line }) => line.startsWith('too many open alarms'))
  expect(refused.map(({ fields }) => fields)).toEqual(Object.keys(most).map((kind) => ({ kind })))

  found = [...byClients, DOWN]
  await watch.look()
  expect(await countOpen()).toEqual({ ...most, carrier_down: 1 })
  expect(log.lines.filter(({ line }) => line.startsWith('too many open alarms'))).toHaveLength(4)
})

test('traffic that is stopped opens its alarm beside traffic that is not', async () => {
  found = many('pumping')
  await watch.look()
  found = [...found, { kind: 'pumping', subject: 'messages to 3712', severity: 'critical', detail: 'x' }]
  await watch.look()
  expect(await countOpen()).toEqual({ pumping: 101 })
})

test('an alarm has one line of printable words of limited length, and stays one alarm', async () => {
  found = [
    { ...DOWN, subject: `ac\u202Eme\r\nBcc: x${'y'.repeat(300)}`, detail: `refused\u0000\n\u2028${'z'.repeat(400)}` },
  ]
  await watch.look()
  const { alarms } = await store.alarms()
  expect(alarms).toMatchObject([
    { subject: `ac me Bcc: x${'y'.repeat(187)}`, detail: `refused ${'z'.repeat(290)}`, state: 'open' },
  ])
  await watch.look()
  expect((await store.alarms()).alarms).toEqual(alarms)
})
