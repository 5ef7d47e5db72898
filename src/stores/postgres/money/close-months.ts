/**
 * Closes past months: nothing is posted in them any more, and each account's totals are recorded, so that a statement
 * sent to a client can always be checked against the ledger.
 */

import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import { beginningOf, monthOf } from '../../../domain/time/month.ts'
import { MONTH_STAYS_OPEN_MS } from '../../../ports/changes/money-change.ts'
import { closeMonth } from '../../rows/money/month-digest.ts'
import { TOTAL_COLUMNS, type TotalRow } from '../../rows/money/posting-row.ts'
import { lockRevision } from '../changes/load-directory.ts'
import { inBucket, rare } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'

/** Accounts closed in one transaction. */
const SLICE_ACCOUNTS = 100

const CLOSE = rare('UPDATE meta SET books_from = $1 WHERE books_from < $1')
/** Waits for transactions in progress; those that begin later know that the month is closed. */
const CLOSE_LEASES = rare('UPDATE lease SET books_from = $1 WHERE books_from < $1')
const OPEN = rare<[accountId: AccountId, month: number]>(
  `SELECT DISTINCT account_id, month FROM posting_total WHERE month < $1 AND NOT EXISTS
     (SELECT 1 FROM closed_month WHERE closed_month.bucket = posting_total.bucket
        AND closed_month.account_id = posting_total.account_id AND closed_month.month = posting_total.month)
   LIMIT ${SLICE_ACCOUNTS}`,
)
const TOTALS = inBucket<TotalRow>(
  `SELECT ${TOTAL_COLUMNS} FROM posting_total WHERE bucket = $1 AND account_id = $2 AND month <= $3`,
)
const INSERT = rare(
  'INSERT INTO closed_month (bucket, account_id, month, closing_micros, digest) VALUES ($1, $2, $3, $4, $5)',
)

/** Returns when the months that are over by now ended. */
export function booksFromOf(now: number): number {
  return beginningOf(monthOf(now - MONTH_STAYS_OPEN_MS))
}

/** Closes one slice; returns true if there may be more. */
export async function closeMonths(session: Session, times: readonly number[]): Promise<readonly boolean[]> {
  const booksFrom = booksFromOf(Math.max(...times))
  await lockRevision(session)
  await session.query(CLOSE, booksFrom)
  await session.query(CLOSE_LEASES, booksFrom)
  const found = await session.query(OPEN, monthOf(booksFrom))
  for (const [accountId, month] of found) {
    const bucket = bucketOf(accountId)
    const rows = await session.query(TOTALS, bucket, accountId, month)
    const { closingMicros, digest } = closeMonth(rows, month)
    await session.query(INSERT, bucket, accountId, month, closingMicros, digest)
  }
  return times.map(() => found.length === SLICE_ACCOUNTS)
}
