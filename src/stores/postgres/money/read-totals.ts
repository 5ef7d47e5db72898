/** Reads totals of money: the cost of statements and margins does not depend on the number of postings. */
import { bucketOf } from '../../../domain/ids/message-id.ts'
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
import type { Connection } from '../connection/connection.ts'
import { rare } from '../connection/statement.ts'

/** Of an account from one period until before another. */
export const PURPOSES = sql<PurposeTotalRow>(
  `SELECT ${PURPOSE_SUMS} FROM posting_total WHERE {bucket} account_id = ? AND month >= ? AND month < ?
   GROUP BY kind, channel, operator`,
)
const CHARGES = rare<ChargeTotalRow>(
  `SELECT account_id, channel, carrier_id, cost_currency, ${CHARGE_SUMS}
   FROM unnest($1::smallint[], $2::bigint[]) AS wanted (bucket, account_id)
     JOIN posting_total USING (bucket, account_id) WHERE month >= $3 AND month <= $4 AND kind IN ('charge', 'refund')
   GROUP BY account_id, channel, carrier_id, cost_currency ORDER BY account_id, channel, carrier_id, cost_currency`,
)
export async function chargeTotals(
  connection: Connection,
  { from, through, accounts }: ChargeQuery,
): Promise<readonly ChargeTotal[]> {
  const rows = await connection.query(CHARGES, accounts.map(bucketOf), accounts, from, through)
  return rows.map(readChargeTotal)
}
