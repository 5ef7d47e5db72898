/** Sums up what is held, by currency. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { HoldTotal } from '../../../ports/stores/query-store.ts'
import { type HoldRow, readHold } from '../../rows/money/posting-row.ts'
import { type Command, rows } from '../statement/command.ts'
import { sql } from '../statement/sql.ts'

/** On Citus, accounts are not on the servers of their balances: those are read first. */
const HOLDS = sql<HoldRow>(
  `WITH balance AS MATERIALIZED (
     SELECT account_id, held FROM account_balance WHERE account_id = coalesce(CAST(? AS bigint), account_id)
   ) SELECT currency, CAST(sum(held) AS bigint), count(*) FILTER (WHERE held > 0) FROM account JOIN balance USING (account_id)
   WHERE held > 0 OR state <> 'closed' OR CAST(? AS bigint) IS NOT NULL GROUP BY currency`,
)

export function* holds(accountId: AccountId | null): Command<readonly HoldTotal[]> {
  const found = yield* rows(HOLDS, accountId, accountId)
  return found.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(readHold)
}
