/**
 * Call statistics: a row for each day, account, carrier, operator and outcome, counted in the turns that report them.
 */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import type { CallQuery, CallTotal } from '../../../domain/statistics/call-statistics.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { askedKeys, type CallRow, type CallTotalRow, readCallTotal } from '../../rows/statistics/call-row.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import type { Link } from '../connection/link.ts'
import { inBucket, insertion, rare } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'

const KEY = 'account_id, day, carrier_id, operator, outcome'
const ADD = insertion(
  'call_total',
  {
    account_id: 'bigint',
    day: 'integer',
    carrier_id: 'text',
    operator: 'text',
    outcome: 'text',
    ring_ms: 'bigint',
    calls: 'bigint',
  },
  // In one order everywhere, so that nodes do not deadlock.
  `ORDER BY ${KEY} ON CONFLICT (bucket, ${KEY}) DO UPDATE SET calls = call_total.calls + excluded.calls,
     ring_ms = call_total.ring_ms + excluded.ring_ms`,
)

const sums = (first: number, where: string) =>
  `SELECT CASE $${first}::integer WHEN 1 THEN day ELSE -1 END AS of_day,
     CASE $${first + 1}::integer WHEN 1 THEN account_id ELSE -1 END AS of_account,
     CASE $${first + 2}::integer WHEN 1 THEN carrier_id ELSE '' END AS of_carrier,
     CASE $${first + 3}::integer WHEN 1 THEN operator ELSE '' END AS of_operator, outcome, sum(calls), sum(ring_ms)
   FROM call_total WHERE ${where} day BETWEEN $${first + 4}::bigint AND $${first + 5}::bigint
   GROUP BY 1, 2, 3, 4, outcome ORDER BY 1, 2, 3, 4, outcome LIMIT $${first + 6}`
const OF_ALL = rare<CallTotalRow>(sums(1, ''))
const OF_ONE = inBucket<CallTotalRow>(sums(3, 'bucket = $1 AND account_id = $2 AND'))

/** The counts of one transaction's turns: each row is written once, however many calls it counts. */
export class CallCounter {
  readonly #rows = new Map<
    string,
    { readonly accountId: AccountId; readonly key: readonly Cell[]; ringMs: number; calls: number }
  >()

  count(accountId: AccountId, calls: readonly CallRow[]): void {
    for (const [day, carrierId, operator, outcome, ringMs] of calls) {
      const key = [accountId, day, carrierId, operator, outcome]
      const name = JSON.stringify(key)
      const sum = this.#rows.get(name) ?? { accountId, key, ringMs: 0, calls: 0 }
      this.#rows.set(name, { ...sum, ringMs: sum.ringMs + ringMs, calls: sum.calls + 1 })
    }
  }

  write(session: Session): void {
    const rows = new ByBucket<readonly Cell[]>()
    for (const { accountId, key, ringMs, calls } of this.#rows.values()) {
      rows.add(bucketOf(accountId), [...key, ringMs, calls])
    }
    session.insert(ADD, rows)
  }
}

export async function callTotals(
  link: Link,
  { from, through, accountId, by, limit: most }: CallQuery,
): Promise<readonly CallTotal[]> {
  const asked = askedKeys(by)
  const rows =
    accountId === null
      ? await link.query(OF_ALL, ...asked, from, through, most)
      : await link.query(OF_ONE, bucketOf(accountId), accountId, ...asked, from, through, most)
  return rows.map(readCallTotal)
}
