/**
 * Closes past months: nothing is posted in them any more, and each account's totals are recorded, so that a statement
 * sent to a client can always be checked against the ledger.
 */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import { beginningOf, monthOf } from '../../../domain/time/month.ts'
import { LAST_ZONE_MS } from '../../../domain/time/zoned-month.ts'
import { MONTH_STAYS_OPEN_MS } from '../../../ports/changes/money-change.ts'
import { closeMonth } from '../../rows/money/month-digest.ts'
import type { PostingTotalRow } from '../../rows/money/posting-row.ts'
import { type Command, own, query, readAll, rows, write } from '../statement/command.ts'
import { type Sql, sql } from '../statement/sql.ts'

/** Accounts closed in one transaction. */
const SLICE_ACCOUNTS = 100

const CLOSE = sql('UPDATE meta SET books_from = ? WHERE books_from < ?')
const OPEN = sql<[accountId: AccountId, month: number]>(
  `SELECT DISTINCT account_id, month FROM posting_total WHERE month < ? AND NOT EXISTS
     (SELECT 1 FROM closed_month WHERE {same bucket closed_month posting_total}
        closed_month.account_id = posting_total.account_id AND closed_month.month = posting_total.month)
   LIMIT ${SLICE_ACCOUNTS}`,
)

/** What each store does in its own way. */
export interface MonthTools {
  /** The totals of an account through a month. */
  readonly totals: Sql<PostingTotalRow>
  /** Inserts a bucket, an account, a month, the micros at its end, and a digest. */
  readonly insert: Sql
  /** Waits for transactions in progress; those that begin later know that the months are closed. */
  readonly close: (booksFrom: number) => void | Promise<void>
}

/** Returns when the months that are over by now have ended in every zone. */
export function booksFromOf(now: number): number {
  return beginningOf(monthOf(now - MONTH_STAYS_OPEN_MS)) + LAST_ZONE_MS
}

/** Closes one slice; returns true if there may be more. */
export function* closeMonths(booksFrom: number, { totals, insert, close }: MonthTools): Command<boolean> {
  yield* write(CLOSE, [booksFrom, booksFrom])
  yield* own(() => close(booksFrom))
  const open = yield* rows(OPEN, monthOf(booksFrom))
  const read = yield* readAll(
    ...open.map(([accountId, month]) => ({ ...query(totals, accountId, month), bucket: bucketOf(accountId) })),
  )
  const closed = open.map(([accountId, month], index) => {
    const { closingMicros, digest } = closeMonth(read[index] ?? [], month)
    return [bucketOf(accountId), accountId, month, closingMicros, digest]
  })
  yield* write(insert, ...closed)
  return open.length === SLICE_ACCOUNTS
}
