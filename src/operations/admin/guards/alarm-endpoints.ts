/** Alarms about unusual traffic: list, lift, confirm. */
import Type, { type Static } from 'typebox'
import { TRAFFIC_KINDS, type TrafficKey } from '../../../domain/guards/traffic.ts'
import type { TrafficAlarm } from '../../../domain/guards/traffic-alarm.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { ACCOUNT, nullable, OPERATORS, PAGING, pageOf, READERS, TIME, writeTime } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { confirmAlarm, liftAlarm } from './settle-alarm.ts'

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

function keyOf({
  kind,
  prefix,
  account = null,
}: {
  kind: TrafficKey['kind']
  prefix: string
  account?: number | null
}) {
  return { kind, prefix, accountId: account === null ? null : toAccountId(account) }
}

function viewAlarm({
  accountId,
  kind,
  prefix,
  raisedAt,
  seen,
  usual,
  state,
  until,
}: TrafficAlarm): Static<typeof Alarm> {
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
