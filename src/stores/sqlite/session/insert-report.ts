/** Inserts reports. One for the event feed of its account gets the next position there. */
import type { DatabaseSync } from 'node:sqlite'
import { isEventRow, type NewReportRow } from '../../rows/reports/report-row.ts'
import { SqlStatement } from '../statement/statement.ts'

export function insertReport(database: DatabaseSync): (row: NewReportRow) => void {
  const insert = new SqlStatement(
    database,
    `INSERT INTO report (msg_id, number, account_id, address, body, created_at, node, due_at, parked, state, tries, detail, position)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 0, '', ?)`,
  )
  const nextPosition = new SqlStatement<[position: number]>(
    database,
    `INSERT INTO event_feed (account_id, last, acknowledged) VALUES (?, 1, 0)
     ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last`,
  )
  return (row) => {
    const [, , accountId] = row
    const position = isEventRow(row) ? (nextPosition.all(accountId)[0]?.[0] ?? null) : null
    insert.run(...row, position)
  }
}
