/** What SQLite does in its own way when it closes months. */
import { booksFromOf, closeMonths as closeCommand } from '../../commands/money/close-months.ts'
import { sql } from '../../commands/statement/sql.ts'
import { POSTING_TOTAL_COLUMNS, type PostingTotalRow } from '../../rows/money/posting-row.ts'
import type { Session } from '../session/session.ts'
import type { RunCommand } from '../statement/run-command.ts'
import { totalsOfMonths } from './read-totals.ts'

const TOTALS = sql<PostingTotalRow>(
  `SELECT ${POSTING_TOTAL_COLUMNS} FROM ${totalsOfMonths({ from: '0', before: '?2 + 1' })} WHERE account_id = ?1`,
)
const INSERT = sql('INSERT INTO closed_month (account_id, month, closing_micros, digest) VALUES (?2, ?3, ?4, ?5)')

/** Closes one slice; returns true if there may be more. */
export function closeMonths({ ledger }: Session, run: RunCommand): (now: number) => boolean {
  let closedUntil = 0
  const tools = { totals: TOTALS, insert: INSERT, close: () => ledger.forget() }
  return (now) => {
    const booksFrom = booksFromOf(now)
    if (booksFrom <= closedUntil) return false
    if (run(closeCommand(booksFrom, tools))) return true
    closedUntil = booksFrom
    return false
  }
}
