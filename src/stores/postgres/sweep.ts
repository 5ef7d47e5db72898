/** Deletes expired rows, a slice at a time, so that transactions stay small. */
import { callDay } from '../../domain/call-statistics.ts'
import { BUCKETS } from '../../domain/message-id.ts'
import { DAY_MS, type InstallationRetention } from '../../domain/retention.ts'
import { trafficSlot } from '../../domain/traffic.ts'
import { INBOUND_KEYS_LINGER_MS } from '../../ports/carrier.ts'
import { PARKED_FOR_MS } from '../../ports/delivery-store.ts'
import { CALLS_KEPT_MS } from '../../ports/intake-store.ts'
import { CALLS_COUNTED_DAYS } from '../../ports/query-store.ts'
import type { Link } from './link.ts'
import { inBucket, rare } from './statement.ts'

const SLICE_ROWS = 1_000

const KEYS = inBucket(
  `DELETE FROM idempotency WHERE bucket = $1 AND (account_id, key) IN
   (SELECT account_id, key FROM idempotency WHERE bucket = $1 AND keep_until <= $2 LIMIT ${SLICE_ROWS})`,
)
const RECEIPTS = inBucket(
  `DELETE FROM early_receipt WHERE bucket = $1 AND (carrier_id, ref, outcome) IN
   (SELECT carrier_id, ref, outcome FROM early_receipt WHERE bucket = $1 AND at <= $2 LIMIT ${SLICE_ROWS})`,
)
const CODES = inBucket(
  `DELETE FROM call_code WHERE bucket = $1 AND msg_id IN
   (SELECT msg_id FROM call_code WHERE bucket = $1 AND at <= $2 LIMIT ${SLICE_ROWS})`,
)
const REQUESTS = rare(
  `DELETE FROM admin_request WHERE (actor, key) IN
   (SELECT actor, key FROM admin_request WHERE keep_until <= $1 LIMIT ${SLICE_ROWS})`,
)

// Expired tokens are rejected anyway, so the directory need not be reloaded.
const TOKENS = rare(
  `DELETE FROM admin_token WHERE hash IN (SELECT hash FROM admin_token WHERE expires_at <= $1 LIMIT ${SLICE_ROWS})`,
)

/** Ids grow with time, so the oldest come first without a search. */
const INBOUND = inBucket(
  `DELETE FROM inbound_message WHERE bucket = $1 AND inbound_id IN
   (SELECT inbound_id FROM (SELECT inbound_id, at FROM inbound_message WHERE bucket = $1
      ORDER BY inbound_id LIMIT ${SLICE_ROWS}) AS oldest WHERE at <= $2)`,
)
const INBOUND_KEYS = inBucket(
  `DELETE FROM inbound_key WHERE bucket = $1 AND (carrier_id, key) IN
   (SELECT carrier_id, key FROM inbound_key WHERE bucket = $1 AND keep_until <= $2 LIMIT ${SLICE_ROWS})`,
)
const USAGE = inBucket(
  `DELETE FROM usage WHERE bucket = $1 AND (account_id, key, slot) IN
   (SELECT account_id, key, slot FROM usage WHERE bucket = $1 AND keep_until <= $2 LIMIT ${SLICE_ROWS})`,
)
const CALLS = inBucket(
  `DELETE FROM call_total WHERE bucket = $1 AND (account_id, day, carrier_id, operator, outcome) IN
   (SELECT account_id, day, carrier_id, operator, outcome FROM call_total
    WHERE bucket = $1 AND day <= $2 LIMIT ${SLICE_ROWS})`,
)
const TRAFFIC = rare(
  `DELETE FROM traffic WHERE (account_id, kind, prefix) IN
   (SELECT account_id, kind, prefix FROM traffic WHERE slot <= $1 LIMIT ${SLICE_ROWS})`,
)
/** An older pattern carries no information. */
const TRAFFIC_KEPT_MS = 30 * 86_400_000

/** Deletes one slice of every bucket; returns true if there may be more. */
export async function sweep(link: Link, now: number, { inboundKeptDays }: InstallationRetention): Promise<boolean> {
  const buckets = Array.from({ length: BUCKETS }, (_, bucket) => bucket)
  const deleted = await Promise.all([
    link.execute(TRAFFIC, [trafficSlot(now - TRAFFIC_KEPT_MS)]),
    link.execute(TOKENS, [now]),
    link.execute(REQUESTS, [now]),
    ...buckets.flatMap((bucket) => [
      link.execute(KEYS, [bucket, now]),
      link.execute(RECEIPTS, [bucket, now - PARKED_FOR_MS]),
      link.execute(CODES, [bucket, now - CALLS_KEPT_MS]),
      link.execute(INBOUND_KEYS, [bucket, now - INBOUND_KEYS_LINGER_MS]),
      link.execute(USAGE, [bucket, now]),
      link.execute(CALLS, [bucket, callDay(now) - CALLS_COUNTED_DAYS]),
      ...(inboundKeptDays === null ? [] : [link.execute(INBOUND, [bucket, now - inboundKeptDays * DAY_MS])]),
    ]),
  ])
  return deleted.some(({ count }) => count === SLICE_ROWS)
}
