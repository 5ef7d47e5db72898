/** Call statistics: a row for each day, account, carrier, operator and outcome, counted in the turn that reports it. */
import type { CallQuery, CallTotal } from '../../../domain/statistics/call-statistics.ts'
import {
  askedKeys,
  CALL_COLUMNS,
  type CallRow,
  type CallTotalRow,
  readCallTotal,
} from '../../rows/statistics/call-row.ts'
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

export function callTotals({ database }: Session): (query: CallQuery) => readonly CallTotal[] {
  const select = (where: string) =>
    new Statement<CallTotalRow>(
      database,
      `SELECT iif(?, day, -1) AS of_day, iif(?, account_id, -1) AS of_account, iif(?, carrier_id, '') AS of_carrier,
         iif(?, operator, '') AS of_operator, outcome, sum(calls), sum(ring_ms)
       FROM call_total WHERE ${where} day BETWEEN ? AND ?
       GROUP BY of_day, of_account, of_carrier, of_operator, outcome
       ORDER BY of_day, of_account, of_carrier, of_operator, outcome LIMIT ?`,
    )
  const ofAll = select('')
  const ofOne = select('account_id = ? AND')
  return ({ from, through, accountId, by, limit: most }) => {
    const asked = askedKeys(by)
    const rows =
      accountId === null
        ? ofAll.all(...asked, from, through, most)
        : ofOne.all(...asked, accountId, from, through, most)
    return rows.map(readCallTotal)
  }
}
