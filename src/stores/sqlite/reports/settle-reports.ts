/**
 * Records the results of reports. Only the first unsettled report of a message to a hook is ever due; settling it
 * makes the next one due.
 */

import type { AccountId } from '../../../domain/ids/account-id.ts'
import { firstNumberOf, NUMBERS_PER_HOOK } from '../../../domain/reports/client-hook.ts'
import type { PendingReport, ReportResult } from '../../../ports/records/pending-report.ts'
import { settleReport } from '../../recording/settle-report.ts'
import type { CellsOf } from '../../rows/cells/cells-of.ts'
import { PENDING_REPORT_COLUMNS, type ReportRow, reportReader } from '../../rows/reports/report-row.ts'
import { toReportCount } from '../../rows/statistics/message-total.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'
import { leaveToSweep } from '../sweeping/sweep-messages.ts'
import { stopHook } from './stop-hooks.ts'

type FoundRow = [
  ...CellsOf<'report', 'account_id, state, tried_at, try_log', { account_id: AccountId }>,
  next: number | null,
]

export function settleReports(session: Session): (results: readonly ReportResult[]) => PendingReport[] {
  const { database, node, vault, totals } = session
  const toReport = reportReader(vault)
  const find = new SqlStatement<FoundRow>(
    database,
    `SELECT account_id, state, tried_at, try_log, (SELECT min(next.number) FROM report AS next
       WHERE next.msg_id = report.msg_id AND next.number > report.number AND next.number < ? AND next.state = 'pending' AND next.position IS NULL)
     FROM report WHERE msg_id = ? AND number = ?`,
  )
  const settle = new SqlStatement(
    database,
    `UPDATE report SET state = ?, node = ?, due_at = ?, parked = ?, tries = tries + ?, tried_at = coalesce(?, tried_at),
       detail = coalesce(?, detail), try_log = coalesce(?, try_log)
     WHERE msg_id = ? AND number = ?`,
  )
  const claim = new SqlStatement<ReportRow>(
    database,
    `UPDATE report SET node = ?, due_at = ? WHERE msg_id = ? AND number = ? RETURNING ${PENDING_REPORT_COLUMNS}`,
  )
  const claimed = new SqlStatement<ReportRow>(
    database,
    `SELECT ${PENDING_REPORT_COLUMNS} FROM report WHERE node = ? AND msg_id = ? AND number = ?`,
  )
  const stop = stopHook(session)
  const leave = leaveToSweep(session)
  return (results) =>
    results.flatMap((result) => {
      const { messageId, number, at } = result
      const found = find.first(firstNumberOf(number) + NUMBERS_PER_HOOK, messageId, number)
      if (found === undefined) return []
      const [accountId, storedState, storedTry, storedLog, nextNumber] = found
      const stored = { state: storedState, triedAt: storedTry, tryLog: storedLog }
      const { report, next, stopsHook } = settleReport(stored, result, node)
      if (report !== null) {
        const { state, dueAt, parked, tries, triedAt, detail, tryLog } = report
        settle.run(state, report.node, dueAt, parked, tries, triedAt, detail, tryLog, messageId, number)
        if (state !== 'pending') leave(messageId)
        totals.count(toReportCount(accountId, result))
      }
      if (stopsHook) stop(result)
      if (next === null || nextNumber === null) return []
      const rows =
        next === 'claim' ? claim.all(node, at, messageId, nextNumber) : claimed.all(node, messageId, nextNumber)
      return rows.map(toReport)
    })
}
