/** Deletes expired rows, a slice at a time, so that transactions stay small. */
import { DAY_MS, type InstallationRetention } from '../../../domain/accounts/retention.ts'
import { trafficSlot } from '../../../domain/guards/traffic.ts'
import { callDay } from '../../../domain/statistics/call-statistics.ts'
import { DAYS_KEPT_DAYS } from '../../../domain/statistics/message-statistics.ts'
import { INBOUND_KEYS_LINGER_MS } from '../../../ports/carriers/carrier.ts'
import { MAX_USERS } from '../../../ports/carriers/user-store.ts'
import { PARKED_FOR_MS } from '../../../ports/stores/delivery-store.ts'
import { CALLS_KEPT_MS } from '../../../ports/stores/intake-store.ts'
import { CALLS_COUNTED_DAYS } from '../../../ports/stores/query-store.ts'
import { LINK_TOTAL_KEY } from '../../rows/statistics/link-total.ts'
import type { Link } from '../connection/link.ts'
import { inBucket, rare, type Statement } from '../connection/statement.ts'

const SLICE_ROWS = 1_000

const SLICE = `LIMIT ${SLICE_ROWS}`

const KEYS = overdueInBucket('idempotency', 'account_id, key', 'keep_until')
const RECEIPTS = overdueInBucket('early_receipt', 'carrier_id, ref, outcome', 'at')
const CODES = overdueInBucket('call_code', 'msg_id', 'at')
const INBOUND_KEYS = overdueInBucket('inbound_key', 'carrier_id, key', 'keep_until')
const USAGE = overdueInBucket('usage', 'account_id, key, slot', 'keep_until')
const CALLS = overdueInBucket('call_total', 'account_id, day, carrier_id, operator, outcome', 'day')
const LINKS = overdueInBucket('link_total', LINK_TOTAL_KEY, 'day')
const REQUESTS = overdue('admin_request', 'actor, key', 'keep_until')
const TRAFFIC = overdue('traffic', 'account_id, kind, prefix', 'slot')
// Expired tokens are rejected anyway, so the directory need not be reloaded.
const TOKENS = overdue('admin_token', 'hash', 'expires_at')
const ONE_TIME_TOKENS = overdue('one_time_token', 'hash', 'expires_at')
const USERS = overdue('carrier_user', 'carrier_id, user_id', 'keep_until')
const FURTHER_USERS = rare(
  `DELETE FROM carrier_user WHERE (carrier_id, user_id) IN (SELECT carrier_id, user_id FROM carrier_user
     ORDER BY keep_until DESC ${SLICE} OFFSET ${MAX_USERS})`,
)
/** Ids grow with time, so the oldest come first without a search. */
const OLD_INBOUND = `(SELECT inbound_id, event_id, at FROM inbound_message WHERE bucket = $1
   ORDER BY inbound_id ${SLICE}) AS oldest WHERE at <= $2`
const INBOUND = inBucket(
  `DELETE FROM inbound_message WHERE bucket = $1 AND inbound_id IN (SELECT inbound_id FROM ${OLD_INBOUND})`,
)
/** Their reports: deleted before them. */
const INBOUND_REPORTS = inBucket(
  `DELETE FROM report WHERE bucket = $1 AND msg_id IN (SELECT event_id FROM ${OLD_INBOUND})`,
)
/** An older pattern carries no information. */
const TRAFFIC_KEPT_MS = 30 * 86_400_000

/** Deletes one slice of the rows without a bucket; returns true if there may be more. */
export async function sweepInstallation(link: Link, now: number): Promise<boolean> {
  return mayBeMore([
    link.execute(TRAFFIC, [trafficSlot(now - TRAFFIC_KEPT_MS)]),
    link.execute(USERS, [now]),
    link.execute(FURTHER_USERS, []),
    link.execute(TOKENS, [now]),
    link.execute(ONE_TIME_TOKENS, [now]),
    link.execute(REQUESTS, [now]),
  ])
}

/** Deletes one slice of each of these buckets; returns true if there may be more. */
export async function sweepBuckets(
  link: Link,
  buckets: readonly number[],
  now: number,
  { inboundKeptDays }: InstallationRetention,
): Promise<boolean> {
  const inbound = inboundKeptDays === null ? [] : [INBOUND_REPORTS, INBOUND]
  return mayBeMore(
    buckets.flatMap((bucket) => [
      link.execute(KEYS, [bucket, now]),
      link.execute(RECEIPTS, [bucket, now - PARKED_FOR_MS]),
      link.execute(CODES, [bucket, now - CALLS_KEPT_MS]),
      link.execute(INBOUND_KEYS, [bucket, now - INBOUND_KEYS_LINGER_MS]),
      link.execute(USAGE, [bucket, now]),
      link.execute(CALLS, [bucket, callDay(now) - CALLS_COUNTED_DAYS]),
      link.execute(LINKS, [bucket, callDay(now) - DAYS_KEPT_DAYS]),
      ...inbound.map((statement) => link.execute(statement, [bucket, now - (inboundKeptDays ?? 0) * DAY_MS])),
    ]),
  )
}

async function mayBeMore(deletions: readonly Promise<{ readonly count: number }>[]): Promise<boolean> {
  return (await Promise.all(deletions)).some(({ count }) => count === SLICE_ROWS)
}

function overdueInBucket(table: string, key: string, time: string): Statement {
  return inBucket(
    `DELETE FROM ${table} WHERE bucket = $1 AND (${key}) IN
     (SELECT ${key} FROM ${table} WHERE bucket = $1 AND ${time} <= $2 ${SLICE})`,
  )
}

function overdue(table: string, key: string, time: string): Statement {
  return rare(`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${time} <= $1 ${SLICE})`)
}
