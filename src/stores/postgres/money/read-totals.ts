/** Reads totals of money: the cost of statements, and margins does not depend on the number of postings. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import type { ChargeTotal } from '../../../domain/money/margin.ts'
import type { AccountMonth } from '../../../domain/money/statement.ts'
import { beginningOf, type Month, monthAfter } from '../../../domain/time/month.ts'
import { MAX_PAYMENTS } from '../../../ports/changes/money-change.ts'
import type { ChargeQuery } from '../../../ports/stores/query-store.ts'
import {
  type ChargeTotalRow,
  type EarlierRow,
  type MonthTotalRow,
  POSTING_COLUMNS,
  type PostingRow,
  readChargeTotal,
  readEarlier,
  readMonthTotal,
  readPosting,
} from '../../rows/money/posting-row.ts'
import type { Link } from '../connection/link.ts'
import { inBucket, rare } from '../connection/statement.ts'

const BEFORE = inBucket<EarlierRow>(
  `SELECT kind, sum(amount_micros), min(month) FROM posting_total
   WHERE bucket = $1 AND account_id = $2 AND month < $3 GROUP BY kind`,
)
const TOTALS = inBucket<MonthTotalRow>(
  `SELECT kind, channel, operator, sum(postings), sum(parts), sum(amount_micros) FROM posting_total
   WHERE bucket = $1 AND account_id = $2 AND month = $3
   GROUP BY kind, channel, operator ORDER BY kind, channel, operator`,
)
const PAYMENTS = inBucket<PostingRow>(
  `SELECT ${POSTING_COLUMNS} FROM posting
   WHERE bucket = $1 AND account_id = $2 AND msg_id IS NULL AND at >= $3 AND at < $4
   ORDER BY at, posting_id LIMIT ${MAX_PAYMENTS}`,
)
const BOOKS_FROM = rare<[booksFrom: number]>('SELECT books_from FROM meta')
const CHARGES = rare<ChargeTotalRow>(
  `SELECT account_id, channel, carrier_id, cost_currency, sum(postings), sum(parts), sum(amount_micros), sum(cost_micros)
   FROM unnest($1::smallint[], $2::bigint[]) AS wanted (bucket, account_id)
     JOIN posting_total USING (bucket, account_id) WHERE month >= $3 AND month <= $4 AND kind = 'charge'
   GROUP BY account_id, channel, carrier_id, cost_currency ORDER BY account_id, channel, carrier_id, cost_currency`,
)
/** Reads a consistent snapshot. */
export async function accountMonth(link: Link, accountId: AccountId, month: Month): Promise<AccountMonth> {
  const bucket = bucketOf(accountId)
  const end = beginningOf(monthAfter(month))
  const begun = link.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const asked = Promise.all([
    link.query(BEFORE, bucket, accountId, month),
    link.query(TOTALS, bucket, accountId, month),
    link.query(PAYMENTS, bucket, accountId, beginningOf(month), end),
    link.query(BOOKS_FROM),
  ])
  const ended = link.run('COMMIT')
  const [before, totals, payments, [booksFrom]] = await asked.finally(() => Promise.allSettled([begun, ended]))
  return {
    ...readEarlier(before, month),
    totals: totals.map(readMonthTotal),
    payments: payments.map(readPosting),
    isClosed: end <= (booksFrom?.[0] ?? 0),
  }
}

export async function chargeTotals(
  link: Link,
  { from, through, accounts }: ChargeQuery,
): Promise<readonly ChargeTotal[]> {
  const rows = await link.query(CHARGES, accounts.map(bucketOf), accounts, from, through)
  return rows.map(readChargeTotal)
}
