/**
 * Erases a recipient: of ended messages to the phone only timeline and money remain, inbound messages are deleted,
 * opt-outs remain under a keyed hash. Works in slices: finds messages by the phone index and changes them in the lanes
 * of their buckets. Every step can be repeated.
 */
import { BUCKETS } from '../../../domain/ids/message-id.ts'
import { formsOf, isFormOf, type Phone } from '../../../domain/numbers/phone.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { forgetTraces } from '../../commands/erasure/forget-traces.ts'
import type { ForgetSlice, ForgottenRest, InTheWay } from '../../rows/erasure/forget-slices.ts'
import { withoutRefs } from '../../rows/erasure/forgotten-journey.ts'
import type { HashPhone } from '../../vault/phone-hash.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import type { Link } from '../connection/link.ts'
import { inBucket, rare, STILL_PENDING, type Statement, typesOf, unnest } from '../connection/statement.ts'
import { runOn } from '../session/run-command.ts'
import type { Session } from '../session/session.ts'
import { applyAction, dropNames } from './redact-messages.ts'

const SLICE_MESSAGES = 100
const SLICE_REPLIES = 5_000

const OPEN = inBucket<[count: number]>(
  `SELECT count(*) FROM message JOIN due USING (bucket, msg_id) WHERE message.bucket = $1 AND phone = ANY ($2::text[])`,
)
const PENDING = inBucket<[count: number]>(
  `SELECT count(*) FROM message JOIN report USING (bucket, msg_id)
   WHERE message.bucket = $1 AND phone = ANY ($2::text[]) AND ${STILL_PENDING}`,
)
const UNREPORTED = inBucket<[sender: string]>(
  `SELECT sender FROM report JOIN inbound_message ON event_id = msg_id
   WHERE report.bucket = $1 AND inbound_message.bucket = $1 AND ${STILL_PENDING}`,
)
const LISTED = rare<[count: number]>('SELECT count(*) FROM listed_number WHERE digits = ANY ($1::text[]) AND whole = 1')

const HAS = inBucket<[any: number]>('SELECT 1 FROM message WHERE bucket = $1 AND phone = ANY ($2::text[]) LIMIT 1')
/** Locked first: a turn recorded after this is based on a stale state. */
const NEXT = inBucket<[msgId: number]>(
  `SELECT msg_id FROM message WHERE bucket = $1 AND phone = ANY ($2::text[]) AND msg_id > $3
   ORDER BY msg_id LIMIT ${SLICE_MESSAGES} FOR NO KEY UPDATE`,
)
const BUSY = inBucket<[msgId: number]>(
  `SELECT msg_id FROM due WHERE bucket = $1 AND msg_id = ANY ($2::bigint[])
   UNION SELECT msg_id FROM report WHERE bucket = $1 AND msg_id = ANY ($2::bigint[]) AND ${STILL_PENDING}`,
)
const JOURNEYS = inBucket<[msgId: number, journey: string]>(
  'SELECT msg_id, journey FROM message WHERE bucket = $1 AND msg_id = ANY ($2::bigint[])',
)
/** The version grows, so that a state in memory never overwrites it. */
const CLEAR = inBucket(
  `UPDATE message SET phone = '', client_id = NULL, hook = NULL, version = version + 1, journey = new.journey
   FROM ${unnest(typesOf('message', 'msg_id, journey'), 2)} WHERE message.bucket = $1 AND message.msg_id = new.msg_id`,
)

const REPLIES = rare<[inboundId: number, bucket: number, sender: string]>(
  `SELECT inbound_id, bucket, sender FROM inbound_message WHERE inbound_id > $1
   ORDER BY inbound_id LIMIT ${SLICE_REPLIES}`,
)
const DROP_REPLY_REPORTS = inBucket(
  `DELETE FROM report WHERE bucket = $1 AND msg_id IN
   (SELECT event_id FROM inbound_message WHERE bucket = $1 AND inbound_id = ANY ($2::bigint[]))`,
)
const DROP_REPLIES = inBucket('DELETE FROM inbound_message WHERE bucket = $1 AND inbound_id = ANY ($2::bigint[])')

/** A phone erased before that opted out again: the older opt-out is enough. */
const DROP_REPEATED = inBucket(
  `DELETE FROM opt_out USING opt_out AS hashed WHERE opt_out.bucket = $1 AND hashed.bucket = $1 AND opt_out.phone = $2
   AND hashed.phone = $3 AND hashed.account_id = opt_out.account_id AND hashed.sender = opt_out.sender`,
)
const HASH_OPT_OUTS = inBucket('UPDATE opt_out SET phone = $3 WHERE bucket = $1 AND phone = $2')

const ALL_BUCKETS = Array.from({ length: BUCKETS }, (_, bucket) => bucket)

export interface ForgetOrder {
  readonly bucket: number
  readonly phone: Phone
  readonly after: number
  readonly now: number
}

export async function findInTheWay(link: Link, phone: Phone): Promise<InTheWay | null> {
  const forms = formsOf(phone)
  const sum = async (statement: Statement<[count: number]>) => {
    const counts = await Promise.all(ALL_BUCKETS.map((bucket) => link.query(statement, bucket, forms)))
    return counts.reduce((all, [row]) => all + (row?.[0] ?? 0), 0)
  }
  const unreported = Promise.all(ALL_BUCKETS.map((bucket) => link.query(UNREPORTED, bucket)))
  const [openMessages, ofMessages, ofReplies, [listed]] = await Promise.all([
    sum(OPEN),
    sum(PENDING),
    unreported,
    link.query(LISTED, forms),
  ])
  const pendingReports = ofMessages + ofReplies.flat().filter(([sender]) => isFormOf(phone, sender)).length
  const found = { kind: 'in the way', openMessages, pendingReports, listed: listed?.[0] ?? 0 } as const
  return found.openMessages + found.pendingReports + found.listed === 0 ? null : found
}

/** Returns the buckets that have messages to the phone. */
export async function bucketsOfPhone(link: Link, phone: Phone): Promise<readonly number[]> {
  const found = await Promise.all(ALL_BUCKETS.map((bucket) => link.query(HAS, bucket, formsOf(phone))))
  return ALL_BUCKETS.filter((bucket) => found[bucket]?.length === 1)
}

export async function forgetMessages(
  session: Session,
  orders: readonly ForgetOrder[],
): Promise<readonly ForgetSlice[]> {
  const slices: ForgetSlice[] = []
  for (const order of orders) slices.push(await forgetSlice(session, order))
  return slices
}

async function forgetSlice(session: Session, { bucket, phone, after, now }: ForgetOrder): Promise<ForgetSlice> {
  const seen = (await session.query(NEXT, bucket, formsOf(phone), after)).map(([msgId]) => msgId)
  const busy = new Set((await session.query(BUSY, bucket, seen)).map(([msgId]) => msgId))
  const ids = seen.filter((msgId) => !busy.has(msgId))
  await applyAction(session, bucket, 'texts', ids, now)
  await applyAction(session, bucket, 'settled', ids, now)
  dropNames(session, bucket, ids)
  const journeys = await session.query(JOURNEYS, bucket, ids)
  const cleared = journeys.map(([msgId, journey]) => [msgId, withoutRefs(journey)])
  session.update(
    CLEAR,
    ByBucket.of(cleared, () => bucket),
  )
  return { done: ids.length, next: seen.length === SLICE_MESSAGES ? (seen.at(-1) ?? null) : null }
}

/** Carriers write a number in many ways, so every inbound message is read. */
export async function forgetReplies(link: Link, phone: Phone, after: number): Promise<ForgetSlice> {
  const seen = await link.query(REPLIES, after)
  const found = Map.groupBy(
    seen.filter(([, , sender]) => isFormOf(phone, sender)),
    ([, bucket]) => bucket,
  )
  const drops = [...found].map(async ([bucket, rows]) => {
    const ids = rows.map(([inboundId]) => inboundId)
    await link.execute(DROP_REPLY_REPORTS, [bucket, ids])
    return link.execute(DROP_REPLIES, [bucket, ids])
  })
  const done = (await Promise.all(drops)).reduce((sum, { count }) => sum + count, 0)
  return { done, next: seen.length === SLICE_REPLIES ? (seen.at(-1)?.[0] ?? null) : null }
}

/** Deletes what is always little, and keeps opt-outs under the hash of the phone. */
export async function forgetRest(
  link: Link,
  { vault, hashPhone }: { readonly vault: Vault; readonly hashPhone: HashPhone },
  phone: Phone,
): Promise<ForgottenRest> {
  await runOn(link, vault, forgetTraces(phone, hashPhone))
  const forms = formsOf(phone)
  const phoneHash = hashPhone(forms[0])
  let optOuts = 0
  // One form after the other: several may be opted out.
  for (const form of forms) {
    const changes = ALL_BUCKETS.flatMap((bucket) => [
      link.execute(DROP_REPEATED, [bucket, form, phoneHash]),
      link.execute(HASH_OPT_OUTS, [bucket, form, phoneHash]),
    ])
    for (const { count } of await Promise.all(changes)) optOuts += count
  }
  return { phoneHash, optOuts }
}
