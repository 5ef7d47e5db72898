/**
 * Claims reports to send: those that are due in the buckets of this node's share, and those of a hook that can
 * take them.
 */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf, bucketOfMessage, type MessageId } from '../../../domain/ids/message-id.ts'
import type { HookClaim, PendingReport, WaitingHook } from '../../../ports/records/pending-report.ts'
import { STILL_PENDING } from '../../commands/statement/sql.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { MAX_HOOKS_OF_ACCOUNT, MAX_WAITING_HOOKS } from '../../rows/reports/hook-wait.ts'
import { PENDING_REPORT_COLUMNS, type ReportRow, reportReader } from '../../rows/reports/report-row.ts'
import type { ReportKey, Waiting } from '../claiming/claim-due.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import type { Connection } from '../connection/connection.ts'
import { inBucket, typesOf, unnest } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'
import { nameOfReport } from './settle-reports.ts'

/** The only kind that waits among reports. */
export const REPORTS = 'reports'

const KEYS = typesOf('report', 'msg_id, number')

/** The due ones, and the first that is not due yet, without an id. */
const FIND_DUE = inBucket<[msgId: MessageId | null, number: number, dueAt: number]>(
  `(SELECT msg_id, number, due_at FROM report
    WHERE bucket = $1 AND state = 'pending' AND node = 0 AND due_at <= $2 ORDER BY due_at LIMIT $3)
   UNION ALL
   (SELECT NULL, 0, due_at FROM report
    WHERE bucket = $1 AND state = 'pending' AND node = 0 AND due_at > $2 ORDER BY due_at LIMIT 1)`,
)
const LOCK_WAITING = inBucket<ReportRow>(
  `SELECT ${PENDING_REPORT_COLUMNS} FROM report JOIN ${unnest(KEYS, 2)} USING (msg_id, number)
   WHERE bucket = $1 AND ${STILL_PENDING} AND node = 0 AND due_at IS NOT NULL
   ORDER BY msg_id, number FOR UPDATE OF report`,
)
const HOLD = inBucket(
  `UPDATE report SET node = $2 FROM ${unnest(KEYS, 3)}
   WHERE report.bucket = $1 AND report.msg_id = new.msg_id AND report.number = new.number`,
)
/** As in the index. */
export const HOOK_KEY = `md5(split_part(address, '?', 1))`
export const OF_BUCKET = `bucket = $1 AND state = 'pending' AND node = 0 AND due_at IS NOT NULL`

const FIND_OF_HOOK = inBucket<[msgId: MessageId, number: number]>(
  `SELECT msg_id, number FROM report
   WHERE ${OF_BUCKET} AND account_id = $2 AND ${HOOK_KEY} = md5($3::text) AND (parked = 1 OR tried_at >= $4)
   ORDER BY msg_id LIMIT $5`,
)
/** Skips from hook to hook along the index, however many reports wait for each; '~' sorts after every hash. */
const WAITING_HOOKS = inBucket<[accountId: AccountId, hook: string, parked: number]>(
  `WITH RECURSIVE hook (account_id, key, address, count) AS (
     (SELECT account_id, ${HOOK_KEY}, address, 1 FROM report WHERE ${OF_BUCKET} ORDER BY account_id, ${HOOK_KEY} LIMIT 1)
     UNION ALL
     SELECT next.account_id, next.key, next.address, CASE WHEN next.account_id = hook.account_id THEN hook.count + 1 ELSE 1 END
     FROM hook CROSS JOIN LATERAL (
       SELECT account_id, ${HOOK_KEY} AS key, address FROM report
       WHERE ${OF_BUCKET} AND (account_id, ${HOOK_KEY}) >
         (hook.account_id, CASE WHEN hook.count < ${MAX_HOOKS_OF_ACCOUNT} THEN hook.key ELSE '~' END)
       ORDER BY account_id, ${HOOK_KEY} LIMIT 1) AS next)
   SELECT account_id, split_part(address, '?', 1), (EXISTS (SELECT 1 FROM report
     WHERE ${OF_BUCKET} AND account_id = hook.account_id AND ${HOOK_KEY} = hook.key AND parked = 1))::integer
   FROM hook LIMIT ${MAX_WAITING_HOOKS}`,
)

/** Reads what waits in a bucket, without taking it; all of one kind. */
export async function findDueReports(
  connection: Connection,
  bucket: number,
  asked: { readonly now: number; readonly limit: number },
): Promise<readonly Waiting<ReportKey>[]> {
  const rows = await connection.query(FIND_DUE, bucket, asked.now, asked.limit)
  return rows.map(([id, number, dueAt]) => {
    return { thing: id === null ? null : { messageId: id, number }, kind: REPORTS, dueAt }
  })
}

/** Returns the reports that were still free; this node now holds them. */
export async function holdReports(
  session: Session,
  orders: readonly (readonly ReportKey[])[],
): Promise<readonly (readonly PendingReport[])[]> {
  const wanted = new Map<string, number>()
  const asked = new ByBucket<Cell[]>()
  for (const [place, keys] of orders.entries()) {
    for (const key of keys) {
      if (!wanted.has(nameOfReport(key))) asked.add(bucketOfMessage(key.messageId), [key.messageId, key.number])
      wanted.set(nameOfReport(key), place)
    }
  }
  const locked = await session.queryRows(LOCK_WAITING, asked)
  const reports = locked.map(reportReader(session.vault))
  const held = new ByBucket<ReportKey>()
  for (const report of reports) held.add(bucketOfMessage(report.messageId), report)
  for (const [bucket, keys] of held.entries()) {
    session.write(
      HOLD,
      bucket,
      session.node,
      keys.map(({ messageId }) => messageId),
      keys.map(({ number }) => number),
    )
  }
  return orders.map((_, place) => reports.filter((report) => wanted.get(nameOfReport(report)) === place))
}

/** Reads which reports of a hook wait in the bucket of its account. */
export async function findReportsOf(connection: Connection, claim: HookClaim): Promise<readonly ReportKey[]> {
  const { accountId, hook, failedSince, limit } = claim
  const since = failedSince ?? Number.MAX_SAFE_INTEGER
  const rows = await connection.query(FIND_OF_HOOK, bucketOf(accountId), accountId, hook, since, limit)
  return rows.map(([id, number]) => ({ messageId: id, number }))
}

export async function findWaitingHooks(connection: Connection, bucket: number): Promise<readonly WaitingHook[]> {
  const rows = await connection.query(WAITING_HOOKS, bucket)
  return rows.map(([accountId, hook, parked]) => ({ accountId, hook, parked: parked === 1 }))
}
