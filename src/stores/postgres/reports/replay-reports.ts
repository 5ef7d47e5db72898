/** Sends failed reports of an account again, on the client's request. */
import { bucketOf, type MessageId } from '../../../domain/ids/message-id.ts'
import { NUMBERS_PER_HOOK } from '../../../domain/reports/client-hook.ts'
import { REPORT_LIFETIME_MS } from '../../../domain/reports/report-schedule.ts'
import { HOOK_STOP_LASTS_MS } from '../../../domain/reports/stopped-hook.ts'
import { MAX_REPLAYED, MAX_REPLAYED_HOOKS, type ReplayRequest } from '../../../ports/stores/replay-store.ts'
import { freeFirst } from '../../commands/reports/resend-reports.ts'
import { inBucket, rare } from '../connection/statement.ts'
import { runCommand } from '../session/run-command.ts'
import type { Session } from '../session/session.ts'

/** As in the index. */
const HOOK_KEY = `md5(split_part(address, '?', 1))`
const FAILED = `FROM report WHERE bucket = $1 AND state = 'failed' AND body <> '' AND position IS NULL AND account_id = $2`

/**
 * Reads only what it sends again, and skips from hook to hook along the index, however many reports have failed. A hook
 * that is named ($3) is the only one. $6: stopped hooks. $7: hooks that the client has. A report that another node has
 * sent again in the meantime is left out when its row is changed.
 */
const REVIVE = inBucket<[msgId: MessageId]>(
  `WITH RECURSIVE hook (key, count) AS (
     (SELECT coalesce(md5($3::text), (SELECT ${HOOK_KEY} ${FAILED} ORDER BY ${HOOK_KEY} LIMIT 1)), 1)
     UNION ALL
     SELECT next.key, hook.count + 1 FROM hook CROSS JOIN LATERAL (
       SELECT ${HOOK_KEY} AS key ${FAILED} AND ${HOOK_KEY} > hook.key ORDER BY ${HOOK_KEY} LIMIT 1) AS next
     WHERE $3::text IS NULL AND hook.count < ${MAX_REPLAYED_HOOKS}),
   wanted AS (
     SELECT failed.msg_id, failed.number FROM hook CROSS JOIN LATERAL (
       SELECT msg_id, number ${FAILED} AND ${HOOK_KEY} = hook.key AND created_at >= $4 AND (number < ${NUMBERS_PER_HOOK} OR number / ${NUMBERS_PER_HOOK} = ANY ($7::integer[]))
       ORDER BY created_at, msg_id, number LIMIT ${MAX_REPLAYED}) AS failed
     WHERE hook.key <> ALL ($6::text[]) LIMIT ${MAX_REPLAYED})
   UPDATE report SET state = 'pending', node = 0, due_at = NULL, tries = 0, ends_at = $5
   FROM wanted WHERE report.bucket = $1 AND report.msg_id = wanted.msg_id AND report.number = wanted.number
     AND report.state = 'failed'
   RETURNING report.msg_id`,
)

const CLIENT_HOOKS = rare<[id: number]>(
  `SELECT (hook ->> 'id')::int FROM account_hooks, jsonb_array_elements(hooks::jsonb -> 'hooks') AS hook WHERE account_id = $1`,
)
const STOPPED = rare<[hash: string]>(
  'SELECT hash FROM stopped_hook WHERE stopped = 1 AND changed_at > $1 AND account_id = $2',
)

/** Returns the numbers of reports. */
export async function replayReports(session: Session, calls: readonly ReplayRequest[]): Promise<readonly number[]> {
  const counts: number[] = []
  for (const { accountId, hook, since, at } of calls) {
    const bucket = bucketOf(accountId)
    const stopped = (await session.query(STOPPED, at - HOOK_STOP_LASTS_MS, accountId)).map(([hash]) => hash)
    const known = (await session.query(CLIENT_HOOKS, accountId)).map(([id]) => id)
    const ends = at + REPORT_LIFETIME_MS
    const revived = await session.query(REVIVE, bucket, accountId, hook, since ?? 0, ends, stopped, known)
    await runCommand(session, freeFirst(revived.flat(), at))
    counts.push(revived.length)
  }
  return counts
}
