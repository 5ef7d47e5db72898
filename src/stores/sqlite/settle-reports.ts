/**
 * HOME: what became of reports. Of one message only the first unsettled report is ever due; settling it frees the next.
 */
import type { PendingReport, ReportResult } from '../../ports/pending-report.ts'
import { bounded } from '../rows/kept-text.ts'
import { isFailedTry, PENDING_REPORT_COLUMNS, type ReportRow, reportReader } from '../rows/report-row.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'
import { stopHook } from './stop-hooks.ts'
import { leaveToSweep } from './sweep-messages.ts'

export function settleReports(session: Session): (results: readonly ReportResult[]) => PendingReport[] {
  const { database, node, vault } = session
  const toReport = reportReader(vault)
  const end = new Statement(
    database,
    `UPDATE report SET state = ?, node = 0, due_at = NULL, tries = tries + ?, tried_at = ?, detail = ?
     WHERE msg_id = ? AND number = ? AND state = 'pending'`,
  )
  const postpone = new Statement(
    database,
    `UPDATE report SET node = ?, due_at = ?, parked = 0, tries = tries + 1, tried_at = ?, detail = ?
     WHERE msg_id = ? AND number = ? AND state = 'pending'`,
  )
  const park = new Statement(
    database,
    `UPDATE report SET node = 0, due_at = ?, parked = 1 WHERE msg_id = ? AND number = ? AND state = 'pending'`,
  )
  const nextOf = new Statement<[number: number]>(
    database,
    `SELECT number FROM report WHERE msg_id = ? AND number > ? AND state = 'pending' ORDER BY number LIMIT 1`,
  )
  const free = new Statement<ReportRow>(
    database,
    `UPDATE report SET node = ?, due_at = ? WHERE msg_id = ? AND number = ? RETURNING ${PENDING_REPORT_COLUMNS}`,
  )
  const stop = stopHook(session)
  const leave = leaveToSweep(session)
  return (results) =>
    results.flatMap((result) => {
      const { messageId, number, kind, at } = result
      const detail = bounded(result.detail)
      if (kind === 'parked') {
        park.run(result.dueAt ?? at, messageId, number)
        return []
      }
      if (kind === 'later') {
        postpone.run(result.held ? node : 0, result.dueAt ?? at, at, detail, messageId, number)
        return []
      }
      const state = kind === 'sent' ? 'sent' : 'failed'
      if (end.run(state, isFailedTry(kind) ? 1 : 0, at, detail, messageId, number) === 0) return []
      leave(messageId)
      if (kind === 'gone') stop(messageId, number, at)
      const next = nextOf.first(messageId, number)
      return next === undefined ? [] : free.all(node, at, messageId, next[0]).map(toReport)
    })
}
