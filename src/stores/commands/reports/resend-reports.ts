/** Resends reports, or sends them at once, on an operator's request; and counts those that it would resend. */
import { bucketOf, bucketOfMessage, type MessageId } from '../../../domain/ids/message-id.ts'
import { NUMBERS_PER_HOOK } from '../../../domain/reports/client-hook.ts'
import { hookOf, REPORT_LIFETIME_MS } from '../../../domain/reports/report-schedule.ts'
import { HOOK_STOP_LASTS_MS } from '../../../domain/reports/stopped-hook.ts'
import { MAX_TRIED_REPORTS, type ReportFilter } from '../../../ports/records/pending-report.ts'
import { MAX_COUNTED_REPORTS, type ReportCounts } from '../../../ports/stores/query-store.ts'
import type { Change } from '../../../ports/stores/setup-store.ts'
import type { Value } from '../../rows/cells/cell.ts'
import { TRY_LOG_BEFORE } from '../../rows/reports/report-row.ts'
import { type Command, change, first, query, readAll, rows, withBucket, write } from '../statement/command.ts'
import { keptSql, STILL_PENDING, sql } from '../statement/sql.ts'

/** Per call: a change must not delay messages. */
const MAX_RESENT = 10_000
/** Different addresses of one hook that are opened: a client may name the message in each. */
const MAX_OPENED_ADDRESSES = 100_000

const WAITING = `state = 'pending' AND node = 0 AND due_at IS NOT NULL`
/** Reports to a hook that its client has deleted are never sent. */
const TO_KNOWN_HOOK = `(number < ${NUMBERS_PER_HOOK} OR (account_id, number / ${NUMBERS_PER_HOOK}) IN {client hooks})`
const FAILED = `state = 'failed' AND body <> '' AND ${TO_KNOWN_HOOK}`
/** The parameter is a time: stops before it have expired. */
const STOPPED =
  '(account_id, {hook}) IN (SELECT account_id, address FROM stopped_hook WHERE stopped = 1 AND changed_at > ?)'

const HURRIED = 'due_at = ?, parked = 0, tries = 0, ends_at = ?'
const REVIVED = `state = 'pending', node = 0, due_at = NULL, tries = 0, ends_at = ?`

const ONE = 'msg_id = ? AND number = ? AND position IS NULL AND account_id = coalesce(CAST(? AS bigint), account_id)'
const HURRY_ONE = sql(
  `UPDATE report SET ${HURRIED} WHERE {bucket} ${ONE} AND ${STILL_PENDING} AND node = 0 AND due_at IS NOT NULL`,
)
/** A gateway has it in memory, and tries it within seconds. */
const HELD_ONE = sql(`SELECT 1 FROM report WHERE {bucket} ${ONE} AND ${STILL_PENDING} AND node <> 0`)
/** Also one that was delivered. The list has the bucket of the message alone. */
const REVIVE_ONE = sql(
  `UPDATE report SET ${REVIVED}, try_log = ${TRY_LOG_BEFORE}
   WHERE {buckets} ${ONE} AND state IN ('failed', 'sent') AND body <> '' AND ${TO_KNOWN_HOOK} AND NOT ${STOPPED}
     AND (CAST(? AS bigint) IS NULL OR tried_at = ?)`,
)
const FREE_FIRST = sql(
  `UPDATE report SET due_at = ? WHERE {bucket} msg_id {any bigint} AND ${STILL_PENDING} AND due_at IS NULL AND node = 0
     AND (msg_id, number) IN (SELECT msg_id, min(number) FROM report
       WHERE {bucket} msg_id {any bigint} AND ${STILL_PENDING} AND position IS NULL
       GROUP BY msg_id, number / ${NUMBERS_PER_HOOK})`,
)
const TRY_HOOK = sql(
  `UPDATE report SET parked = 1, due_at = coalesce(ends_at, created_at + ${REPORT_LIFETIME_MS})
   WHERE {bucket} ${STILL_PENDING} AND node = 0 AND (msg_id, number) IN (SELECT msg_id, number FROM report
     WHERE {bucket} ${WAITING} AND account_id = ? AND {to hook} ORDER BY msg_id LIMIT ${MAX_TRIED_REPORTS})`,
)

type Resending = Extract<Change, { kind: 'resend reports' }>

interface OneReport extends Pick<ReportFilter, 'accountId'> {
  readonly messageId: MessageId
  readonly number: number
  readonly at: number
  readonly triedAt: number | null
}

/** Returns the number of reports, excluding stopped hooks; the reports of one message go in order. */
export function* resendReports(request: Resending): Command<number> {
  const { messageId, accountId, pending, at, number, triedAt = null } = request
  if (messageId !== null && number !== undefined) {
    return yield* withBucket(bucketOfMessage(messageId), resendReport({ messageId, accountId, number, at, triedAt }))
  }
  const { where, values } = yield* ofFilter(request)
  const some = (of: string) =>
    `({bucket,} msg_id, number) IN (SELECT {bucket,} msg_id, number FROM report WHERE ${of} AND ${where} LIMIT ${MAX_RESENT})`
  const endsAt = at + REPORT_LIFETIME_MS
  const hurry = keptSql(`UPDATE report SET ${HURRIED} WHERE ${STILL_PENDING} AND node = 0 AND ${some(WAITING)}`)
  const [hurried = 0] = pending ? yield* change(query(hurry, at, endsAt, ...values)) : []
  // A report that another node has revived in the meantime is left out when its row is changed.
  const revive = keptSql<[msgId: MessageId]>(
    `UPDATE report SET ${REVIVED} WHERE state || '' = 'failed' AND ${some(`${FAILED} AND NOT ${STOPPED}`)} RETURNING msg_id`,
  )
  const revived = yield* rows(revive, endsAt, at - HOOK_STOP_LASTS_MS, ...values)
  yield* freeFirst(revived.flat(), at)
  return revived.length + hurried
}

function* resendReport({ messageId, accountId, number, at, triedAt }: OneReport): Command<number> {
  const endsAt = at + REPORT_LIFETIME_MS
  const one = [messageId, number, accountId] as const
  const [hurried = 0] = yield* change(query(HURRY_ONE, at, endsAt, ...one))
  if (hurried > 0) return hurried
  if ((yield* first(HELD_ONE, ...one)) !== undefined) return 1
  const place = [[bucketOfMessage(messageId)], ...one] as const
  const revive = query(REVIVE_ONE, endsAt, ...place, at - HOOK_STOP_LASTS_MS, triedAt, triedAt)
  const [revived = 0] = yield* change(revive)
  if (revived > 0) yield* freeFirst([messageId], at)
  return revived
}

/** Makes the first pending report of each message to each hook due. */
export function* freeFirst(ids: readonly MessageId[], at: number): Command<void> {
  for (const [bucket, some] of [...Map.groupBy(new Set(ids), bucketOfMessage)].sort(([a], [b]) => a - b)) {
    yield* withBucket(bucket, write(FREE_FIRST, [at, some, some]))
  }
}

/** Returns how many reports wait for the hook, the oldest ones; they are tried. */
export function* tryHook({ hook: { accountId, hook } }: Extract<Change, { kind: 'try hook' }>): Command<number> {
  const [count = 0] = yield* withBucket(bucketOf(accountId), change(query(TRY_HOOK, accountId, hook)))
  return count
}

export function* countReports({ at, ...filter }: ReportFilter & { readonly at: number }): Command<ReportCounts> {
  const { where, values } = yield* ofFilter(filter)
  const count = (of: string) =>
    keptSql<[count: number]>(
      `SELECT count(*) FROM (SELECT 1 FROM report WHERE ${of} AND ${where} LIMIT ${MAX_COUNTED_REPORTS}) AS counted`,
    )
  const [[failed], [waiting], [stopped]] = yield* readAll(
    query(count(FAILED), ...values),
    query(count(WAITING), ...values),
    query(count(`${FAILED} AND ${STOPPED}`), at - HOOK_STOP_LASTS_MS, ...values),
  )
  return { failed: failed?.[0] ?? 0, waiting: waiting?.[0] ?? 0, stopped: stopped?.[0] ?? 0 }
}

interface Conditions {
  readonly where: string
  readonly values: readonly Value[]
}

/**
 * Returns conditions for what is given. Without a query, an address is a hook (`hookOf`): it stands for all its
 * queries. A query is sealed, differently in each process: the addresses of the hook are read and opened.
 */
function* ofFilter(filter: ReportFilter): Command<Conditions> {
  const { address } = filter
  if (address === null || hookOf(address) === address) return conditions(filter, ['{to hook}', address])
  const { where, values } = conditions(filter, ['{to hook}', hookOf(address)])
  const stored = keptSql<[opened: string, stored: string]>(
    `SELECT DISTINCT address, address AS stored FROM report WHERE state IN ('pending', 'failed') AND ${where}
     LIMIT ${MAX_OPENED_ADDRESSES}`,
    { table: 'report', columns: 'address, stored' },
  )
  const found = yield* rows(stored, ...values)
  return conditions(filter, ['address {any text}', found.flatMap(([opened, as]) => (opened === address ? [as] : []))])
}

/** Of what is given alone, so that the database uses its index. Events of a feed are read, not sent. */
function conditions(
  { messageId, accountId, since, until = null }: ReportFilter,
  ofAddress: readonly [where: string, value: Value],
): Conditions {
  const all: readonly (readonly [where: string, value: Value])[] = [
    ['msg_id = ?', messageId],
    ['account_id = ?', accountId],
    ofAddress,
    ['created_at >= ?', since],
    ['created_at < ?', until],
  ]
  const given = all.filter(([, value]) => value !== null)
  return {
    where: ['position IS NULL', ...given.map(([where]) => where)].join(' AND '),
    values: given.map(([, value]) => value),
  }
}
