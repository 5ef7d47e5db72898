/** Reads totals of money: the cost of statements and margins does not depend on the number of postings. */
import type { ChargeTotal } from '../../../domain/money/margin.ts'
import type { ChargeQuery } from '../../../ports/stores/query-store.ts'
import { sql } from '../../commands/statement/sql.ts'
import {
  CHARGE_SUMS,
  type ChargeTotalRow,
  PURPOSE_SUMS,
  type PurposeTotalRow,
  readChargeTotal,
} from '../../rows/money/posting-row.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

/**
 * SQL for the totals of some periods, which begins with a list of them: their table begins with the period, so that
 * without the list those of all accounts would be read.
 */
export function totalsOfMonths({ from, before }: { readonly from: string; readonly before: string }): string {
  const last = (end: string) => `(SELECT max(month) FROM posting_total WHERE month >= ${from} AND month < ${end})`
  return `(WITH RECURSIVE some_month (each) AS (
      SELECT ${last(before)} UNION ALL SELECT ${last('each')} FROM some_month WHERE each IS NOT NULL
    )
    SELECT each FROM some_month) CROSS JOIN posting_total ON month = each`
}

/** Of an account from one period until before another. */
export const PURPOSES = sql<PurposeTotalRow>(
  `SELECT ${PURPOSE_SUMS} FROM ${totalsOfMonths({ from: '?2', before: '?3' })} WHERE account_id = ?1
   GROUP BY kind, channel, operator`,
)

export function chargeTotals({ database }: Session): (query: ChargeQuery) => ChargeTotal[] {
  const select = new SqlStatement<ChargeTotalRow>(
    database,
    `SELECT account_id, channel, carrier_id, cost_currency, ${CHARGE_SUMS}
     FROM json_each(?1) CROSS JOIN ${totalsOfMonths({ from: '?2', before: '?3 + 1' })}
     WHERE account_id = value AND kind IN ('charge', 'refund')
     GROUP BY account_id, channel, carrier_id, cost_currency ORDER BY account_id, channel, carrier_id, cost_currency`,
  )
  return ({ from, through, accounts }) => {
    return select.all(JSON.stringify(accounts), from, through).map(readChargeTotal)
  }
}
