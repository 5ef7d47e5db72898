/** What PostgreSQL does in its own way when it closes months. */
import { booksFromOf, closeMonths as closeCommand } from '../../commands/money/close-months.ts'
import { sql } from '../../commands/statement/sql.ts'
import { POSTING_TOTAL_COLUMNS, type PostingTotalRow } from '../../rows/money/posting-row.ts'
import { lockRevision } from '../changes/load-directory.ts'
import { rare } from '../connection/statement.ts'
import { runCommand } from '../session/run-command.ts'
import type { Session } from '../session/session.ts'

const CLOSE_LEASES = rare('UPDATE lease SET books_from = $1 WHERE books_from < $1')
const TOTALS = sql<PostingTotalRow>(
  `SELECT ${POSTING_TOTAL_COLUMNS} FROM posting_total WHERE {bucket} account_id = ? AND month <= ?`,
)
const INSERT = sql(
  'INSERT INTO closed_month (bucket, account_id, month, closing_micros, digest) VALUES (?, ?, ?, ?, ?)',
)

/** Closes one slice; returns true if there may be more. */
export async function closeMonths(session: Session, times: readonly number[]): Promise<readonly boolean[]> {
  await lockRevision(session)
  const close = async (booksFrom: number) => void (await session.query(CLOSE_LEASES, booksFrom))
  const tools = { totals: TOTALS, insert: INSERT, close }
  const isMore = await runCommand(session, closeCommand(booksFromOf(Math.max(...times)), tools))
  return times.map(() => isMore)
}
