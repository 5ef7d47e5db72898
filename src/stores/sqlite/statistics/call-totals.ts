/** Counts calls: a row for each day, account, carrier, operator and outcome, in the turn that reports it. */
import { CALL_COLUMNS, type CallRow } from '../../rows/statistics/call-row.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

export function countCall({ database }: Session): (accountId: number, row: CallRow) => void {
  const add = new Statement(
    database,
    `INSERT INTO call_total (account_id, calls, ${CALL_COLUMNS}) VALUES (?, 1, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET calls = calls + 1, ring_ms = ring_ms + excluded.ring_ms`,
  )
  return (accountId, row) => {
    add.run(accountId, ...row)
  }
}
