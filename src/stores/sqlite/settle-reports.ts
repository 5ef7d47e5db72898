/**
 * HOME: what became of reports. Of one message only the first unsettled report is ever due; settling it frees the next.
 */
import type { PendingReport, ReportResult } from '../../ports/pending-report.ts'
import { bounded } from '../rows/kept-text.ts'
import { isFailedTry, PENDING_REPORT_COLUMNS, type ReportRow, reportReader } from '../rows/report-row.ts'
import { bumpRevision } from './load-directory.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'
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
      if (kind === 'gone') stop(messageId, number)
      const next = nextOf.first(messageId, number)
      return next === undefined ? [] : free.all(node, at, messageId, next[0]).map(toReport)
    })
}

/** The address of a report takes no more: everything pending there fails, and the directory names it. */
function stopHook(session: Session): (msgId: number, number: number) => void {
  const { database } = session
  const addressOf = new Statement<[accountId: number, address: string]>(
    database,
    'SELECT account_id, address FROM report WHERE msg_id = ? AND number = ?',
  )
  const failAll = new Statement(
    database,
    `UPDATE report SET state = 'failed', node = 0, due_at = NULL, detail = 'the hook is gone'
     WHERE account_id = ? AND address = ? AND state = 'pending'`,
  )
  const leaveAll = new Statement(
    database,
    `INSERT OR IGNORE INTO sweep_left
     SELECT msg_id FROM report WHERE account_id = ? AND address = ? AND state = 'pending' AND msg_id <= ?`,
  )
  const insert = new Statement(database, 'INSERT OR IGNORE INTO stopped_hook (account_id, address) VALUES (?, ?)')
  const bump = bumpRevision(session)
  return (msgId, number) => {
    const hook = addressOf.first(msgId, number)
    if (hook === undefined) return
    leaveAll.run(...hook, session.swept.upTo)
    failAll.run(...hook)
    if (insert.run(...hook) === 1) bump()
  }
}
