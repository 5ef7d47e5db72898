/** Reads totals of money: the cost of statements, and margins does not depend on the number of postings. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
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
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

/**
 * SQL for the totals of some months, which begins with a list of them: their table begins with the month, so that
 * without the list those of all accounts would be read.
 */
export function totalsOfMonths({ from, before }: { readonly from: string; readonly before: string }): string {
  const last = (end: string) => `(SELECT max(month) FROM posting_total WHERE month >= ${from} AND month < ${end})`
  return `(WITH RECURSIVE some_month (each) AS (
      SELECT ${last(before)} UNION ALL SELECT ${last('each')} FROM some_month WHERE each IS NOT NULL
    )
    SELECT each FROM some_month) CROSS JOIN posting_total ON month = each`
}

export function accountMonth({ database }: Session): (accountId: AccountId, month: Month) => AccountMonth {
  const before = new Statement<EarlierRow>(
    database,
    `SELECT kind, sum(amount_micros), min(month) FROM ${totalsOfMonths({ from: '0', before: '?2' })} WHERE account_id = ?1 GROUP BY kind`,
  )
  const totals = new Statement<MonthTotalRow>(
    database,
    `SELECT kind, channel, operator, sum(postings), sum(parts), sum(amount_micros) FROM posting_total
     WHERE account_id = ? AND month = ? GROUP BY kind, channel, operator ORDER BY kind, channel, operator`,
  )
  const payments = new Statement<PostingRow>(
    database,
    `SELECT ${POSTING_COLUMNS} FROM posting WHERE account_id = ? AND msg_id IS NULL AND at >= ? AND at < ?
     ORDER BY at, posting_id LIMIT ${MAX_PAYMENTS}`,
  )
  const booksFrom = new Statement<[booksFrom: number]>(database, 'SELECT books_from FROM meta')
  return (accountId, month) => {
    const end = beginningOf(monthAfter(month))
    return {
      ...readEarlier(before.all(accountId, month), month),
      totals: totals.all(accountId, month).map(readMonthTotal),
      payments: payments.all(accountId, beginningOf(month), end).map(readPosting),
      isClosed: end <= (booksFrom.first()?.[0] ?? 0),
    }
  }
}

export function chargeTotals({ database }: Session): (query: ChargeQuery) => ChargeTotal[] {
  const select = new Statement<ChargeTotalRow>(
    database,
    `SELECT account_id, channel, carrier_id, cost_currency, sum(postings), sum(parts), sum(amount_micros), sum(cost_micros)
     FROM json_each(?1) CROSS JOIN ${totalsOfMonths({ from: '?2', before: '?3 + 1' })}
     WHERE account_id = value AND kind = 'charge'
     GROUP BY account_id, channel, carrier_id, cost_currency ORDER BY account_id, channel, carrier_id, cost_currency`,
  )
  return ({ from, through, accounts }) => {
    return select.all(JSON.stringify(accounts), from, through).map(readChargeTotal)
  }
}
