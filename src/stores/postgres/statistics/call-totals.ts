/**
 * Call statistics: a row for each day, account, carrier, operator and outcome, counted in the turns that report them.
 */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import type { CallRow } from '../../rows/statistics/call-row.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import { insertion } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'

const KEY = 'account_id, day, carrier_id, operator, outcome'
const ADD = insertion(
  'call_total',
  `${KEY}, ring_ms, calls`,
  // In one order everywhere, so that nodes do not deadlock.
  `ORDER BY ${KEY} ON CONFLICT (bucket, ${KEY}) DO UPDATE SET calls = call_total.calls + excluded.calls,
     ring_ms = call_total.ring_ms + excluded.ring_ms`,
)

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
