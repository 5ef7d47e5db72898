/** Resends reports, or sends them at once, on an operator's request. */
import { bucketOfMessage, type MessageId } from '../../../domain/ids/message-id.ts'
import { NUMBERS_PER_HOOK } from '../../../domain/reports/client-hook.ts'
import { REPORT_LIFETIME_MS } from '../../../domain/reports/report-schedule.ts'
import { HOOK_STOP_LASTS_MS } from '../../../domain/reports/stopped-hook.ts'
import type { ReportFilter } from '../../../ports/records/pending-report.ts'
import { MAX_COUNTED_REPORTS, type ReportCounts } from '../../../ports/stores/query-store.ts'
import type { Change } from '../../../ports/stores/setup-store.ts'
import { TRY_LOG_BEFORE } from '../../rows/reports/report-row.ts'
import type { Link } from '../connection/link.ts'
import { inBucket, rare, STILL_PENDING } from '../connection/statement.ts'
import { columnsOf, type Session } from '../session/session.ts'

/** Per call: a change must not delay messages. */
const MAX_RESENT = 10_000

export type Resending = Extract<Change, { kind: 'resend reports' }>

/** Without a query, an address is a hook (`hookOf`): it stands for all its queries. */
const IS_TO = `CASE strpos($3, '?') WHEN 0 THEN split_part(address, '?', 1) ELSE address END = $3`
/** Events of a feed are read, not sent. */
const OF_FILTER = `position IS NULL AND ($1::bigint IS NULL OR msg_id = $1) AND ($2::bigint IS NULL OR account_id = $2)
  AND ($3::text IS NULL OR ${IS_TO}) AND ($4::bigint IS NULL OR created_at >= $4)
  AND ($5::bigint IS NULL OR created_at < $5)`
/** Hooks that clients have created; reports to one that its client has deleted are never sent. */
export const selectClientHooks = (columns: string) =>
  `SELECT ${columns} (each_hook ->> 'id')::int
   FROM account_hooks AS own, jsonb_array_elements(own.hooks::jsonb -> 'hooks') AS each_hook`
const TO_KNOWN_HOOK = `(number < ${NUMBERS_PER_HOOK} OR
  (account_id, number / ${NUMBERS_PER_HOOK}) IN (${selectClientHooks('own.account_id,')}))`
const FAILED = `FROM report WHERE state = 'failed' AND body <> '' AND ${OF_FILTER} AND ${TO_KNOWN_HOOK}`
/** Of the hooks in the next two columns of parameters. */
const isStopped = (first: number) =>
  `(account_id, md5(split_part(address, '?', 1))) IN (SELECT * FROM unnest($${first}::bigint[], $${first + 1}::text[]))`
const WAITING = `FROM report WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL AND ${OF_FILTER}`

const HURRY = rare(
  `UPDATE report SET due_at = $6, parked = 0, tries = 0, ends_at = $7 WHERE ${STILL_PENDING} AND node = 0 AND (bucket, msg_id, number) IN (
     SELECT bucket, msg_id, number ${WAITING} LIMIT ${MAX_RESENT})`,
)
/** A report that another node has revived in the meantime is left out when its row is changed. */
const REVIVE = rare<[bucket: number, msgId: number]>(
  `UPDATE report SET state = 'pending', node = 0, due_at = NULL, tries = 0, ends_at = $6
   WHERE state = 'failed' AND (bucket, msg_id, number) IN (
     SELECT bucket, msg_id, number ${FAILED} AND NOT ${isStopped(7)} LIMIT ${MAX_RESENT})
   RETURNING bucket, msg_id`,
)
const HURRY_ONE = inBucket(
  `UPDATE report SET due_at = $4, parked = 0, tries = 0, ends_at = $6 WHERE bucket = $1 AND msg_id = $2 AND number = $3 AND position IS NULL
     AND ${STILL_PENDING} AND node = 0 AND due_at IS NOT NULL AND ($5::bigint IS NULL OR account_id = $5)`,
)
/** A gateway has it in memory, and tries it within seconds. */
const HELD_ONE = inBucket(
  `SELECT 1 FROM report WHERE bucket = $1 AND msg_id = $2 AND number = $3
     AND account_id = coalesce($4::bigint, account_id) AND ${STILL_PENDING} AND node <> 0`,
)
/** Also one that was delivered. */
const REVIVE_ONE = rare(
  `UPDATE report SET state = 'pending', node = 0, due_at = NULL, tries = 0, ends_at = $4, try_log = ${TRY_LOG_BEFORE}
   WHERE bucket = $1 AND msg_id = $2 AND number = $3 AND position IS NULL AND state IN ('failed', 'sent') AND body <> ''
     AND ${TO_KNOWN_HOOK} AND ($5::bigint IS NULL OR account_id = $5) AND NOT ${isStopped(7)}
     AND ($6::bigint IS NULL OR tried_at = $6)`,
)
/** Makes the first pending report of each message to each hook due. */
export const FREE_FIRST = rare(
  `UPDATE report SET due_at = $1 WHERE ${STILL_PENDING} AND due_at IS NULL AND node = 0 AND (bucket, msg_id, number) IN (
     SELECT bucket, msg_id, min(number) FROM report
     WHERE ${STILL_PENDING} AND position IS NULL AND (bucket, msg_id) IN (SELECT * FROM unnest($2::smallint[], $3::bigint[]))
     GROUP BY bucket, msg_id, number / ${NUMBERS_PER_HOOK})`,
)
export const STOPPED = rare<[accountId: number, hash: string]>(
  `SELECT account_id, hash FROM stopped_hook
   WHERE stopped = 1 AND changed_at > $1 AND ($2::bigint IS NULL OR account_id = $2)`,
)
const COUNT = rare<[failed: number, waiting: number, stopped: number]>(
  `SELECT (SELECT count(*) FROM (SELECT 1 ${FAILED} LIMIT ${MAX_COUNTED_REPORTS}) AS failed),
     (SELECT count(*) FROM (SELECT 1 ${WAITING} LIMIT ${MAX_COUNTED_REPORTS}) AS waiting),
     (SELECT count(*) FROM (SELECT 1 ${FAILED} AND ${isStopped(6)} LIMIT ${MAX_COUNTED_REPORTS}) AS stopped)`,
)

/** Returns the number of reports, excluding stopped hooks; the reports of one message go in order. */
export async function resendReports(session: Session, request: Resending): Promise<number> {
  const { messageId, accountId, pending, at, number, triedAt = null } = request
  if (messageId !== null && number !== undefined) {
    return resendReport(session, { messageId, accountId, number, at, triedAt })
  }
  const hurried = pending ? await hurry(session, request) : 0
  const hooks = columnsOf(await session.query(STOPPED, at - HOOK_STOP_LASTS_MS, accountId), 2)
  const revived = await session.query(REVIVE, ...cellsOf(request), at + REPORT_LIFETIME_MS, ...hooks)
  const [buckets, ids] = [revived.map(([bucket]) => bucket), revived.map(([, id]) => id)]
  if (revived.length > 0) await session.query(FREE_FIRST, at, buckets, ids)
  return revived.length + hurried
}

async function hurry(session: Session, request: Resending): Promise<number> {
  return (await session.execute(HURRY, ...cellsOf(request), request.at, request.at + REPORT_LIFETIME_MS)).count
}

function cellsOf({ messageId, accountId, address, since, until = null }: ReportFilter) {
  return [messageId, accountId, address, since, until] as const
}

interface OneReport extends Pick<ReportFilter, 'accountId'> {
  readonly messageId: MessageId
  readonly number: number
  readonly at: number
  readonly triedAt: number | null
}

async function resendReport(
  session: Session,
  { messageId, accountId, number, at, triedAt }: OneReport,
): Promise<number> {
  const bucket = bucketOfMessage(messageId)
  const endsAt = at + REPORT_LIFETIME_MS
  const hurried = await session.execute(HURRY_ONE, bucket, messageId, number, at, accountId, endsAt)
  if (hurried.count > 0) return hurried.count
  const held = await session.query(HELD_ONE, bucket, messageId, number, accountId)
  if (held.length > 0) return 1
  const hooks = columnsOf(await session.query(STOPPED, at - HOOK_STOP_LASTS_MS, accountId), 2)
  const key = [bucket, messageId, number] as const
  const revived = await session.execute(REVIVE_ONE, ...key, endsAt, accountId, triedAt, ...hooks)
  if (revived.count > 0) await session.query(FREE_FIRST, at, [bucket], [messageId])
  return revived.count
}

export async function countReports(
  link: Link,
  { at, ...filter }: ReportFilter & { readonly at: number },
): Promise<ReportCounts> {
  const hooks = columnsOf(await link.query(STOPPED, at - HOOK_STOP_LASTS_MS, filter.accountId), 2)
  const [[failed, waiting, stopped] = [0, 0, 0]] = await link.query(COUNT, ...cellsOf(filter), ...hooks)
  return { failed, waiting, stopped }
}
