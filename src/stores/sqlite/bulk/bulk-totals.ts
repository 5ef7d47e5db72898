/** Counts the turns of messages in the totals of their bulks. */
import { addedTotals, BULK_TOTAL_COLUMNS, type MoveRow } from '../../rows/bulk/bulk-row.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

export function countMove({ database }: Session): (move: MoveRow) => void {
  const add = new Statement(
    database,
    `INSERT INTO bulk_total (${BULK_TOTAL_COLUMNS}) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET messages = messages + excluded.messages, micros = micros + excluded.micros`,
  )
  return (move) => {
    for (const row of addedTotals([move])) add.run(...row)
  }
}
