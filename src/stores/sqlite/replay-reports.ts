/** Sends failed reports of an account again, on the client's request. */
import { REPORT_LIFETIME_MS } from '../../domain/report-schedule.ts'
import { HOOK_STOP_LASTS_MS } from '../../domain/stopped-hook.ts'
import { MAX_REPLAYED, type ReplayRequest } from '../../ports/replay-store.ts'
import { FREE_FIRST, IS_STOPPED } from './resend-reports.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

export function replayReports({ database }: Session): (request: ReplayRequest) => number {
  const revive = new Statement<[msgId: number]>(
    database,
    `UPDATE report SET state = 'pending', node = 0, due_at = NULL, tries = 0, ends_at = ?5 WHERE (msg_id, number) IN (
       SELECT msg_id, number FROM report WHERE state = 'failed' AND account_id = ?1 AND body <> '' AND position IS NULL
         AND (?2 IS NULL OR substr(address, 1, instr(address || '?', '?') - 1) = ?2) AND created_at >= ?3
         AND NOT ${IS_STOPPED}
       ORDER BY msg_id, number LIMIT ${MAX_REPLAYED}) RETURNING msg_id`,
  )
  const first = new Statement(database, FREE_FIRST)
  return ({ accountId, hook, since, at }) => {
    const revived = revive.all(accountId, hook, since ?? 0, at - HOOK_STOP_LASTS_MS, at + REPORT_LIFETIME_MS)
    for (const msgId of new Set(revived.map(([id]) => id))) first.run(at, msgId)
    return revived.length
  }
}
