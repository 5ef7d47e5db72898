/** Alarms about unusual traffic: list, lift, confirm. */
import Type, { type Static, type TObject } from 'typebox'
import { TRAFFIC_KINDS, type TrafficKey } from '../../../domain/guards/traffic.ts'
import { type TrafficAlarm, trafficKeyText } from '../../../domain/guards/traffic-alarm.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { ACCOUNT, nullable, OPERATORS, PAGING, pageOf, READERS, TIME, writeTime } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { GUARD_RULE } from './guard.ts'

export const TRAFFIC_ALARM_CHANGES = {
  'set traffic alarm': {
    ...GUARD_RULE,
    audit: ({ alarm }, { trafficAlarms }) => {
      const { accountId, kind, prefix } = alarm
      const before = trafficAlarms.find((each) => trafficKeyText(each) === trafficKeyText(alarm))
      const shown = ({ state, until }: TrafficAlarm) => ({ state, until: writeTime(until) })
      const whose = accountId === null ? '' : ` of account ${accountId}`
      return entry(`alarm of ${kind} to ${prefix}${whose}`, before === undefined ? null : shown(before), shown(alarm))
    },
  },
} satisfies Changes

const LIFTED_FOR_MS = 86_400_000

const KEY = {
  kind: Type.Enum([...TRAFFIC_KINDS], { description: 'kind of traffic' }),
  prefix: Type.String({ description: 'as shown in the alarm', examples: ['3712000'] }),
  account: Type.Optional(nullable(ACCOUNT, { description: 'account of the traffic; none for all accounts' })),
}

const Alarm = Type.Object({
  account: nullable(ACCOUNT),
  kind: KEY.kind,
  prefix: Type.String(),
  raised_at: TIME,
  seen: Type.Number({ description: 'in five minutes' }),
  usual: Type.Number({ description: 'in five minutes' }),
  state: Type.Enum(['raised', 'stopped', 'confirmed', 'lifted']),
  until: nullable(TIME),
})

export const TRAFFIC_ALARM_ENDPOINTS = [
  endpoint({
    name: 'listTrafficAlarms',
    method: 'GET',
    path: '/guards/alarms',
    command: 'alarm traffic',
    summary: 'list traffic alarms, the latest of each prefix',
    may: READERS,
    query: PAGING,
    result: pageOf(Alarm),
    run: async ({ store }, paging) => takePage((await store.loadDirectory()).trafficAlarms, paging, viewAlarm),
  }),
  endpoint({
    name: 'liftAlarm',
    method: 'POST',
    path: '/guards/alarms/lift',
    command: 'alarm lift',
    summary: 'allow traffic to a prefix again; it raises no alarm for a day',
    may: OPERATORS,
    body: KEY,
    result: Alarm,
    run: async ({ store, clock }, input) => viewAlarm(await liftAlarm(store, clock, keyOf(input))),
  }),
  endpoint({
    name: 'confirmAlarm',
    method: 'POST',
    path: '/guards/alarms/confirm',
    command: 'alarm confirm',
    summary: 'block traffic to a prefix until the alarm is lifted',
    may: OPERATORS,
    body: KEY,
    result: Alarm,
    run: async ({ store }, input) => viewAlarm(await confirmAlarm(store, keyOf(input))),
  }),
]

function keyOf({ account = null, ...key }: Static<TObject<typeof KEY>>): TrafficKey {
  return { ...key, accountId: account === null ? null : toAccountId(account) }
}

function viewAlarm(alarm: TrafficAlarm): Static<typeof Alarm> {
  const { accountId, kind, prefix, raisedAt, seen, usual, state, until } = alarm
  const counted = { seen: Math.round(seen), usual: Math.round(usual) }
  return {
    account: accountId,
    kind,
    prefix,
    raised_at: writeTime(raisedAt),
    ...counted,
    state,
    until: writeTime(until),
  }
}

/** Resumes the traffic, and raises no alarm about it for a day. Throws ChangeRefused if there is no such alarm. */
export function liftAlarm(store: SetupStore, clock: Clock, key: TrafficKey): Promise<TrafficAlarm> {
  return settle(store, key, { state: 'lifted', until: clock.now() + LIFTED_FOR_MS })
}

/** Stops the traffic until the alarm is lifted. Throws ChangeRefused if there is no such alarm. */
export function confirmAlarm(store: SetupStore, key: TrafficKey): Promise<TrafficAlarm> {
  return settle(store, key, { state: 'confirmed', until: null })
}

async function settle(
  store: SetupStore,
  key: TrafficKey,
  change: Pick<TrafficAlarm, 'state' | 'until'>,
): Promise<TrafficAlarm> {
  const { trafficAlarms } = await store.loadDirectory()
  const known = trafficAlarms.find((alarm) => trafficKeyText(alarm) === trafficKeyText(key))
  if (known === undefined) throw new UnknownThing('there is no such alarm: see posthorn alarm traffic')
  const alarm = { ...known, ...change }
  await store.change({ kind: 'set traffic alarm', alarm })
  return alarm
}
