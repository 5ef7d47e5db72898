/** Alarms of all kinds: list, acknowledge, resolve, and test the targets of their notifications. */
import Type, { type Static } from 'typebox'
import { ALARM_KINDS, ALARM_STATES, type Alarm, SEVERITIES } from '../../../domain/alarms/alarm.ts'
import { guideOf } from '../../../domain/alarms/alarm-guide.ts'
import { wants } from '../../../domain/alarms/notification.ts'
import { viewAlarm } from '../../../domain/alarms/notification-text.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { Store } from '../../../ports/stores/store.ts'
import { entry, noEntry } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { listOf, nullable, OPERATORS, PAGING, pageOf, READERS, TIME, whole } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { TARGET_NAME, targetNamed } from './notification-target.ts'

const ALARM = whole({ minimum: 1, description: 'number of the alarm, as listed' })
const KIND = Type.Enum([...ALARM_KINDS], { description: 'kind of alarm' })
const STATE = Type.Enum([...ALARM_STATES], { description: 'acknowledged alarms are not repeated' })

const AlarmView = Type.Object({
  alarm: ALARM,
  kind: KIND,
  subject: Type.String({ description: 'what it is about: a carrier, an account …' }),
  severity: Type.Enum([...SEVERITIES]),
  state: STATE,
  detail: Type.String(),
  opened_at: TIME,
  acknowledged_at: nullable(TIME),
  acknowledged_by: nullable(Type.String()),
  resolved_at: nullable(TIME),
  notified_at: nullable(TIME, { description: 'when a target last got a notification of it' }),
  effect: Type.String({ description: 'what it means for messages' }),
  action: Type.String({ description: 'what to do' }),
  page: Type.String({ description: 'path of the page of the console about it' }),
  lasted_seconds: nullable(whole(), { description: 'from opening to resolution; null while it is not resolved' }),
})

const TestResult = Type.Object({
  target: TARGET_NAME,
  result: Type.Enum(['sent', 'failed']),
  reason: nullable(Type.String(), { description: 'why it failed' }),
})

const ALARMS: ChangeRule = { what: 'alarms', may: [...OPERATORS, 'support'] }
/** Made by gateways. */
const WATCHED = { ...ALARMS, audit: noEntry }

export const ALARM_CHANGES = {
  'acknowledge alarm': {
    ...ALARMS,
    audit: ({ alarmId }) => entry(`alarm ${alarmId}`, null, { state: 'acknowledged' }),
  },
  'resolve alarm': { ...ALARMS, audit: ({ alarmId }) => entry(`alarm ${alarmId}`, null, { state: 'resolved' }) },
  'raise alarm': WATCHED,
  'clear alarm': WATCHED,
  'delete alarms': WATCHED,
  'settle notifications': WATCHED,
} satisfies Changes

export const ALARM_ENDPOINTS = [
  endpoint({
    name: 'listAlarms',
    method: 'GET',
    path: '/alarms',
    command: 'alarm list',
    columns: ['alarm', 'severity', 'kind', 'subject', 'state', 'opened_at', 'detail'],
    summary: 'list alarms, the newest first; resolved ones are kept for 30 days',
    may: READERS,
    query: { ...PAGING, state: Type.Optional(STATE), kind: Type.Optional(KIND) },
    result: pageOf(AlarmView),
    run: async ({ store }, { state, kind, ...paging }) => {
      const { alarms } = await store.alarms()
      const found = alarms.filter((alarm) => {
        return (state === undefined || alarm.state === state) && (kind === undefined || alarm.kind === kind)
      })
      return takePage(found, paging, view)
    },
  }),
  endpoint({
    name: 'acknowledgeAlarm',
    method: 'POST',
    path: '/alarms/{alarm}/acknowledge',
    command: 'alarm acknowledge',
    summary: 'acknowledge an alarm: its notifications are not repeated',
    may: ALARMS.may,
    params: { alarm: ALARM },
    result: AlarmView,
    run: async ({ store, clock }, { alarm }, { name }) => {
      await findAlarm(store, alarm)
      await store.change({ kind: 'acknowledge alarm', alarmId: alarm, by: name, at: clock.now() })
      return view(await findAlarm(store, alarm))
    },
  }),
  endpoint({
    name: 'resolveAlarm',
    method: 'POST',
    path: '/alarms/{alarm}/resolve',
    command: 'alarm resolve',
    summary: 'resolve an alarm; it is opened again if the next check still finds its condition',
    may: ALARMS.may,
    params: { alarm: ALARM },
    result: AlarmView,
    run: async ({ store, clock }, { alarm }) => {
      const found = await findAlarm(store, alarm)
      const { notificationTargets } = await store.loadDirectory()
      const notify = notificationTargets.filter((target) => wants(target, found)).map(({ name }) => name)
      await store.change({ kind: 'resolve alarm', alarmId: alarm, at: clock.now(), notify })
      return view(await findAlarm(store, alarm))
    },
  }),
  endpoint({
    name: 'testAlarm',
    method: 'POST',
    path: '/alarms/test',
    command: 'alarm test',
    summary: 'send a test notification to one target or to all, and show what happened at each',
    may: OPERATORS,
    body: { target: Type.Optional(TARGET_NAME) },
    result: listOf(TestResult),
    run: async (tools, { target }) => ({ data: await testTargets(tools, target) }),
  }),
]

function view(alarm: Alarm): Static<typeof AlarmView> {
  return { ...viewAlarm(alarm), action: guideOf(alarm).action }
}

/** Throws UnknownThing. */
async function findAlarm(store: Store, id: number): Promise<Alarm> {
  const found = (await store.alarms()).alarms.find((alarm) => alarm.id === id)
  if (found === undefined) throw new UnknownThing(`there is no alarm ${id}: see posthorn alarm list`)
  return found
}

/** Throws ChangeRefused without a running gateway. */
async function testTargets({ store, live }: AdminTools, name: string | undefined) {
  if (live === null) {
    throw new ChangeRefused('only a running gateway sends notifications: name it with --server or POSTHORN_SERVER')
  }
  const rows = await store.loadDirectory()
  const targets = name === undefined ? rows.notificationTargets : [targetNamed(rows, name)]
  return Promise.all(
    targets.map(async (target) => {
      const result = await live.testTarget(target)
      return {
        target: target.name,
        result: result.kind,
        reason: result.kind === 'failed' ? result.reason : null,
      }
    }),
  )
}
