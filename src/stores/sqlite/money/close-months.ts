/**
 * Closes past months: nothing is posted in them any more, and each account's totals are recorded, so that a statement
 * sent to a client can always be checked against the ledger.
 */
import { beginningOf, monthOf } from '../../../domain/time/month.ts'
import { MONTH_STAYS_OPEN_MS } from '../../../ports/changes/money-change.ts'
import { closeMonth } from '../../rows/money/month-digest.ts'
import { TOTAL_COLUMNS, type TotalRow } from '../../rows/money/posting-row.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'
import { totalsOfMonths } from './read-totals.ts'

/** Accounts closed in one transaction. */
const SLICE_ACCOUNTS = 100

/** Closes one slice; returns true if there may be more. */
export function closeMonths({ database, ledger }: Session): (now: number) => boolean {
  const close = new Statement(database, 'UPDATE meta SET books_from = ? WHERE books_from < ?')
  const open = new Statement<[accountId: number, month: number]>(
    database,
    `SELECT DISTINCT account_id, month FROM posting_total WHERE month < ? AND NOT EXISTS
       (SELECT 1 FROM closed_month WHERE account_id = posting_total.account_id AND month = posting_total.month)
     LIMIT ${SLICE_ACCOUNTS}`,
  )
  const totals = new Statement<TotalRow>(
    database,
    `SELECT ${TOTAL_COLUMNS} FROM ${totalsOfMonths({ from: '0', before: '?2 + 1' })} WHERE account_id = ?1`,
  )
  const insert = new Statement(
    database,
    'INSERT INTO closed_month (account_id, month, closing_micros, digest) VALUES (?, ?, ?, ?)',
  )
  let closedUntil = 0
  return (now) => {
    const month = monthOf(now - MONTH_STAYS_OPEN_MS)
    const booksFrom = beginningOf(month)
    if (booksFrom <= closedUntil) return false
    ledger.forget()
    close.run(booksFrom, booksFrom)
    const found = open.all(month)
    for (const [accountId, each] of found) {
      const rows = totals.all(accountId, each)
      const { closingMicros, digest } = closeMonth(rows, each)
      insert.run(accountId, each, closingMicros, digest)
    }
    if (found.length === SLICE_ACCOUNTS) return true
    closedUntil = booksFrom
    return false
  }
}
