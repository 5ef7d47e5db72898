/** Reads what a statement says of a month: its cost does not depend on the number of postings. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import type { AccountMonth } from '../../../domain/money/statement.ts'
import { beginningOf, type Month, monthAfter } from '../../../domain/time/month.ts'
import { MAX_PAYMENTS } from '../../../ports/changes/money-change.ts'
import {
  type EarlierRow,
  type MonthTotalRow,
  POSTING_COLUMNS,
  type PostingRow,
  readEarlier,
  readMonthTotal,
  readPosting,
} from '../../rows/money/posting-row.ts'
import { type Command, query, readAll, withBucket } from '../statement/command.ts'
import { type Sql, sql } from '../statement/sql.ts'

const TOTALS = sql<MonthTotalRow>(
  `SELECT kind, channel, operator, sum(postings), sum(parts), sum(amount_micros) FROM posting_total
   WHERE {bucket} account_id = ? AND month = ? GROUP BY kind, channel, operator ORDER BY kind, channel, operator`,
)
const PAYMENTS = sql<PostingRow>(
  `SELECT ${POSTING_COLUMNS} FROM posting WHERE {bucket} account_id = ? AND msg_id IS NULL AND at >= ? AND at < ?
   ORDER BY at, posting_id LIMIT ${MAX_PAYMENTS}`,
)
const BOOKS_FROM = sql<[booksFrom: number]>('SELECT books_from FROM meta')

/** `earlier` sums up what an account posted before a month, in the way of the store. */
export function* accountMonth(accountId: AccountId, month: Month, earlier: Sql<EarlierRow>): Command<AccountMonth> {
  const end = beginningOf(monthAfter(month))
  const [before, totals, payments, [booksFrom]] = yield* withBucket(
    bucketOf(accountId),
    readAll(
      query(earlier, accountId, month),
      query(TOTALS, accountId, month),
      query(PAYMENTS, accountId, beginningOf(month), end),
      query(BOOKS_FROM),
    ),
  )
  return {
    ...readEarlier(before, month),
    totals: totals.map(readMonthTotal),
    payments: payments.map(readPosting),
    isClosed: end <= (booksFrom?.[0] ?? 0),
  }
}
