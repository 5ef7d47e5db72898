/** Reads call statistics: a row for each day, account, carrier, operator and outcome, as far as they are requested. */
import { bucketOf } from '../../../domain/ids/message-id.ts'
import type { CallQuery, CallTotal } from '../../../domain/statistics/call-statistics.ts'
import { askedKeys, type CallTotalRow, readCallTotal } from '../../rows/statistics/call-row.ts'
import { type Command, rows, withBucket } from '../statement/command.ts'
import { sql } from '../statement/sql.ts'

const OF_ALL = sums('')
const OF_ONE = sums('{bucket} account_id = ? AND')

function sums(where: string) {
  return sql<CallTotalRow>(
    `SELECT CASE CAST(? AS integer) WHEN 1 THEN day ELSE -1 END, CASE CAST(? AS integer) WHEN 1 THEN account_id ELSE -1 END,
       CASE CAST(? AS integer) WHEN 1 THEN carrier_id ELSE '' END, CASE CAST(? AS integer) WHEN 1 THEN operator ELSE '' END,
       outcome, sum(calls), sum(ring_ms)
     FROM call_total WHERE ${where} day BETWEEN CAST(? AS bigint) AND CAST(? AS bigint)
     GROUP BY 1, 2, 3, 4, outcome ORDER BY 1, 2, 3, 4, outcome LIMIT ?`,
  )
}

export function* callTotals({ from, through, accountId, by, limit }: CallQuery): Command<readonly CallTotal[]> {
  const asked = askedKeys(by)
  const found = yield* accountId === null
    ? rows(OF_ALL, ...asked, from, through, limit)
    : withBucket(bucketOf(accountId), rows(OF_ONE, ...asked, accountId, from, through, limit))
  return found.map(readCallTotal)
}
