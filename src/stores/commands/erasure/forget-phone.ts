/**
 * Erases a recipient under all names, phone and user ids: of ended messages only timeline and money remain, inbound
 * messages are deleted, opt-outs remain under a keyed hash. Works in slices, finding messages by the phone index. Every
 * step can be repeated.
 */
import { formsOf, isFormOf, type Phone } from '../../../domain/numbers/phone.ts'
import type { ForgetSlice, ForgottenRest, InTheWay } from '../../rows/erasure/forget-slices.ts'
import { withoutRefs } from '../../rows/erasure/without-texts.ts'
import { type JoinedNames, namesOf, phoneHashesOf } from '../../rows/setup/carrier-user-row.ts'
import type { HashPhone } from '../../vault/phone-hash.ts'
import { type Command, change, query, queryEach, readAll, rows, withBucket, write } from '../statement/command.ts'
import { STILL_PENDING, select, sql, update } from '../statement/sql.ts'
import { busyAmong, dropNames, type RedactTools, redact } from './redact-messages.ts'

const SLICE_MESSAGES = 100
const SLICE_REPLIES = 5_000

const JOINED = {
  user_id: select<JoinedNames>('carrier_user', 'phone, name', 'WHERE user_id {any text}'),
  phone_hash: select<JoinedNames>('carrier_user', 'phone, name', 'WHERE phone_hash {any text}'),
}

const OPEN = sql<[count: number]>(
  'SELECT count(*) FROM message JOIN due USING ({bucket,} msg_id) WHERE {message.bucket} {to phones}',
)
const PENDING = sql<[count: number]>(
  `SELECT count(*) FROM message JOIN report USING ({bucket,} msg_id)
   WHERE {message.bucket} {to phones} AND ${STILL_PENDING}`,
)
/** Of all buckets in one statement: their writers are in no index, so that each bucket would read both tables. */
const UNREPORTED = sql<[sender: string, count: number]>(
  `SELECT sender, count(*) FROM report JOIN inbound_message USING ({bucket,} account_id)
   WHERE event_id = msg_id AND state = 'pending' GROUP BY sender`,
)
const LISTED = sql<[count: number]>('SELECT count(*) FROM listed_number WHERE digits {any text} AND whole = 1')

/** Locked first: a turn recorded after this is based on a stale state. */
const NEXT = sql<[msgId: number]>(
  `SELECT msg_id FROM message WHERE {bucket} {to phones} AND msg_id > ? ORDER BY msg_id LIMIT ${SLICE_MESSAGES} {lock}`,
)
const JOURNEYS = sql<[msgId: number, journey: string]>(
  'SELECT msg_id, journey FROM message WHERE {bucket} msg_id {any bigint}',
)
/** The version grows, so that a state in memory never overwrites it. */
const CLEAR = update('message', 'journey', 'msg_id', `phone = '', client_id = NULL, hook = NULL, version = version + 1`)

const REPLIES = sql<[inboundId: number, sender: string]>(
  `SELECT inbound_id, sender FROM inbound_message WHERE inbound_id > ? ORDER BY inbound_id LIMIT ${SLICE_REPLIES}`,
)
const DROP_REPLY_REPORTS = sql(
  `DELETE FROM report WHERE ({bucket,} msg_id) IN
     (SELECT {bucket,} event_id FROM inbound_message WHERE inbound_id {any bigint})`,
)
const DROP_REPLIES = sql('DELETE FROM inbound_message WHERE inbound_id {any bigint}')

/** A phone erased before that opted out again: the older opt-out is enough. */
const DROP_REPEATED = sql(
  `DELETE FROM opt_out WHERE {bucket} phone = ? AND (account_id, sender) IN
     (SELECT account_id, sender FROM opt_out WHERE {bucket} phone = ?)`,
)
const HASH_OPT_OUTS = sql('UPDATE opt_out SET phone = ? WHERE {bucket} phone = ?')

const DROP_USERS = sql('DELETE FROM carrier_user WHERE phone_hash {any text}')
const PART_SENDERS = sql<[sender: string]>('SELECT DISTINCT sender FROM inbound_part')
const DROP_PARTS = sql('DELETE FROM inbound_part WHERE sender {any text}')
const DROP_USAGE = sql(`DELETE FROM usage WHERE key LIKE '% ' || CAST(? AS text)`)

/** Returns the recipient first, then what else messengers call it. */
export function* findNames(recipient: Phone, hashPhone: HashPhone): Command<readonly Phone[]> {
  const names = yield* namesOf([recipient], hashPhone, (column, hashes) => rows(JOINED[column], hashes))
  return names(recipient)
}

export function* findInTheWay(names: readonly Phone[]): Command<InTheWay | null> {
  const forms = names.flatMap(formsOf)
  const [open, ofMessages, ofReplies, ofLists] = yield* readAll(
    queryEach(OPEN, forms),
    queryEach(PENDING, forms),
    query(UNREPORTED),
    query(LISTED, forms),
  )
  const [openMessages, pending, listed] = [sumOf(open), sumOf(ofMessages), sumOf(ofLists)]
  const unreported = ofReplies.filter(([sender]) => isOfAny(names, sender))
  const pendingReports = pending + sumOf(unreported.map(([, count]) => [count]))
  if (openMessages + pendingReports + listed === 0) return null
  return { kind: 'in the way', openMessages, pendingReports, listed }
}

function sumOf(counts: readonly [count: number][]): number {
  return counts.reduce((sum, [count]) => sum + count, 0)
}

export interface ForgetOrder {
  readonly bucket: number
  readonly names: readonly Phone[]
  readonly after: number
  readonly now: number
}

export function forgetMessages({ bucket, names, after, now }: ForgetOrder, tools: RedactTools): Command<ForgetSlice> {
  return withBucket(bucket, forget())

  function* forget(): Command<ForgetSlice> {
    const seen = (yield* rows(NEXT, names.flatMap(formsOf), after)).map(([msgId]) => msgId)
    const busy = yield* busyAmong(seen)
    const ids = seen.filter((msgId) => !busy.has(msgId))
    yield* redact('texts', ids, now, tools)
    yield* redact('settled', ids, now, tools)
    yield* dropNames(ids)
    const journeys = yield* rows(JOURNEYS, ids)
    yield* write(CLEAR, ...journeys.map(([msgId, journey]) => [withoutRefs(journey), msgId]))
    return { done: ids.length, next: seen.length === SLICE_MESSAGES ? (seen.at(-1) ?? null) : null }
  }
}

/** Carriers write a number in many ways, so every inbound message is read. */
export function* forgetReplies(names: readonly Phone[], after: number): Command<ForgetSlice> {
  const seen = yield* rows(REPLIES, after)
  const ids = seen.flatMap(([inboundId, sender]) => (isOfAny(names, sender) ? [inboundId] : []))
  const next = seen.length === SLICE_REPLIES ? (seen.at(-1)?.[0] ?? null) : null
  if (ids.length === 0) return { done: 0, next }
  const [, done = 0] = yield* change(query(DROP_REPLY_REPORTS, ids), query(DROP_REPLIES, ids))
  return { done, next }
}

/** Deletes what is always little (users of messengers, parts, usage counts), and hashes the phone of opt-outs. */
export function* forgetRest(names: readonly Phone[], hashPhone: HashPhone): Command<ForgottenRest> {
  yield* write(DROP_USERS, [names.flatMap((name) => phoneHashesOf(name, hashPhone))])
  const senders = (yield* rows(PART_SENDERS)).map(([sender]) => sender)
  yield* write(DROP_PARTS, [senders.filter((sender) => isOfAny(names, sender))])
  yield* write(DROP_USAGE, ...names.flatMap(formsOf).map((form) => [form]))
  let optOuts = 0
  for (const name of names) optOuts += yield* hashOptOuts(formsOf(name), hashPhone)
  return { phoneHash: hashPhone(names.flatMap(formsOf)[0] ?? ''), optOuts }
}

/** Returns how many. One form after the other: several may be opted out. */
function* hashOptOuts(forms: readonly [Phone, ...Phone[]], hashPhone: HashPhone): Command<number> {
  const phoneHash = hashPhone(forms[0])
  let optOuts = 0
  for (const form of forms) {
    const changes = [queryEach(DROP_REPEATED, form, phoneHash), queryEach(HASH_OPT_OUTS, phoneHash, form)]
    for (const count of yield* change(...changes)) optOuts += count
  }
  return optOuts
}

function isOfAny(names: readonly Phone[], sender: string): boolean {
  return names.some((name) => isFormOf(name, sender))
}
