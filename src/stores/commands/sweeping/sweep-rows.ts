/** Deletes expired rows, a slice at a time, so that transactions stay small. */
import { DAY_MS, type InstallationRetention } from '../../../domain/accounts/retention.ts'
import { trafficSlot } from '../../../domain/guards/traffic.ts'
import { callDay } from '../../../domain/statistics/call-statistics.ts'
import { DAYS_KEPT_DAYS } from '../../../domain/statistics/message-statistics.ts'
import { INBOUND_KEYS_LINGER_MS } from '../../../ports/carriers/carrier.ts'
import { MAX_USERS } from '../../../ports/carriers/user-store.ts'
import { PARKED_FOR_MS } from '../../../ports/stores/delivery-store.ts'
import { CALLS_KEPT_MS } from '../../../ports/stores/intake-store.ts'
import { PARTS_REMEMBERED_MS } from '../../../ports/stores/part-store.ts'
import { DEMOTIONS_KEPT_DAYS } from '../../../ports/stores/quality-store.ts'
import { CALLS_COUNTED_DAYS } from '../../../ports/stores/query-store.ts'
import { findTable, type TableName } from '../../tables/all-tables.ts'
import { type Command, change, type Query, query } from '../statement/command.ts'
import { sql } from '../statement/sql.ts'

const SLICE_ROWS = 1_000
/** An older pattern carries no information. */
const TRAFFIC_KEPT_MS = 30 * DAY_MS

const IN_BUCKETS = [
  overdue('idempotency', 'keep_until', (now) => now),
  overdue('early_receipt', 'at', (now) => now - PARKED_FOR_MS),
  overdue('call_code', 'at', (now) => now - CALLS_KEPT_MS),
  overdue('inbound_key', 'keep_until', (now) => now - INBOUND_KEYS_LINGER_MS),
  overdue('smpp_part', 'ended_at', (now) => now - PARTS_REMEMBERED_MS),
  overdue('smpp_id', 'keep_until', (now) => now),
  overdue('usage', 'keep_until', (now) => now),
  overdue('call_total', 'day', (now) => callDay(now) - CALLS_COUNTED_DAYS),
  overdue('link_total', 'day', (now) => callDay(now) - DAYS_KEPT_DAYS),
]
const OF_INSTALLATION = [
  overdue('traffic', 'slot', (now) => trafficSlot(now - TRAFFIC_KEPT_MS)),
  overdue('carrier_user', 'keep_until', (now) => now),
  // Expired tokens are rejected anyway, so the directory need not be reloaded.
  overdue('admin_token', 'expires_at', (now) => now),
  overdue('one_time_token', 'expires_at', (now) => now),
  overdue('quality_count', 'keep_until', (now) => now),
  overdue('demotion', 'ended_at', (now) => now - DEMOTIONS_KEPT_DAYS * DAY_MS),
  overdue('admin_request', 'keep_until', (now) => now),
]
const FURTHER_USERS = sql(
  `DELETE FROM carrier_user WHERE (carrier_id, user_id) IN (SELECT carrier_id, user_id FROM carrier_user
     ORDER BY keep_until DESC LIMIT ${SLICE_ROWS} OFFSET ${MAX_USERS})`,
)
/** Ids grow with time, so the oldest come first without a search. */
const OLD_INBOUND = `(SELECT inbound_id, event_id, at FROM inbound_message WHERE {bucket} true
   ORDER BY inbound_id LIMIT ${SLICE_ROWS}) AS oldest WHERE at <= ?`
/** With their reports, which are deleted before them. */
const INBOUND = [
  sql(`DELETE FROM report WHERE {bucket} msg_id IN (SELECT event_id FROM ${OLD_INBOUND})`),
  sql(`DELETE FROM inbound_message WHERE {bucket} inbound_id IN (SELECT inbound_id FROM ${OLD_INBOUND})`),
]

/** Returns the statement that deletes rows whose time, which is indexed, has passed. */
function overdue(table: TableName, time: string, before: (now: number) => number): (now: number) => Query {
  const { key, bucket } = findTable('postgres', table)
  const names = key.filter((name) => name !== 'bucket').join(', ')
  const where = bucket === null ? 'WHERE' : 'WHERE {bucket}'
  const statement = sql(
    `DELETE FROM ${table} ${where} (${names}) IN
       (SELECT ${names} FROM ${table} ${where} ${time} <= ? LIMIT ${SLICE_ROWS})`,
  )
  return (now) => query(statement, before(now))
}

/** Deletes one slice of the rows without a bucket; returns true if there may be more. */
export function sweepInstallation(now: number): Command<boolean> {
  return mayBeMore([...OF_INSTALLATION.map((of) => of(now)), query(FURTHER_USERS)])
}

/** Deletes one slice of each of these buckets; returns true if there may be more. */
export function sweepBuckets(
  buckets: readonly number[],
  now: number,
  { inboundKeptDays }: InstallationRetention,
): Command<boolean> {
  const queries = IN_BUCKETS.map((of) => of(now))
  if (inboundKeptDays !== null) queries.push(...INBOUND.map((each) => query(each, now - inboundKeptDays * DAY_MS)))
  return mayBeMore(buckets.flatMap((bucket) => queries.map((each) => ({ ...each, bucket }))))
}

function* mayBeMore(deletions: readonly Query[]): Command<boolean> {
  return (yield* change(...deletions)).includes(SLICE_ROWS)
}
