/** Sends failed reports of an account again, on the client's request. */
import { bucketOf } from '../../domain/message-id.ts'
import { REPORT_LIFETIME_MS } from '../../domain/report-schedule.ts'
import { HOOK_STOP_LASTS_MS } from '../../domain/stopped-hook.ts'
import { MAX_REPLAYED, type ReplayRequest } from '../../ports/replay-store.ts'
import { FREE_FIRST, isStopped, STOPPED } from './resend-reports.ts'
import { columnsOf, type Session } from './session.ts'
import { inBucket } from './statement.ts'

const REVIVE = inBucket<[msgId: number]>(
  `UPDATE report SET state = 'pending', node = 0, due_at = NULL, tries = 0, ends_at = $5
   WHERE bucket = $1 AND (msg_id, number) IN (
     SELECT msg_id, number FROM report
     WHERE bucket = $1 AND state = 'failed' AND account_id = $2 AND body <> '' AND position IS NULL
       AND ($3::text IS NULL OR md5(split_part(address, '?', 1)) = md5($3::text)) AND created_at >= $4 AND NOT ${isStopped(6)}
     ORDER BY msg_id, number LIMIT ${MAX_REPLAYED})
   RETURNING msg_id`,
)

/** Returns the numbers of reports. */
export async function replayReports(session: Session, calls: readonly ReplayRequest[]): Promise<readonly number[]> {
  const counts: number[] = []
  for (const { accountId, hook, since, at } of calls) {
    const bucket = bucketOf(accountId)
    const stopped = columnsOf(await session.query(STOPPED, at - HOOK_STOP_LASTS_MS, accountId), 2)
    const ends = at + REPORT_LIFETIME_MS
    const revived = await session.query(REVIVE, bucket, accountId, hook, since ?? 0, ends, ...stopped)
    const ids = [...new Set(revived.map(([msgId]) => msgId))]
    const buckets = ids.map(() => bucket)
    if (ids.length > 0) session.write(FREE_FIRST, at, buckets, ids)
    counts.push(revived.length)
  }
  return counts
}
