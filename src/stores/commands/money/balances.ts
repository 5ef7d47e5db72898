/** Reads the balances of an account, and sums up what all hold. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import type { Balances } from '../../../domain/money/ledger.ts'
import type { HoldTotal } from '../../../ports/stores/query-store.ts'
import type { CellsOf } from '../../rows/cells/cells-of.ts'
import { type HoldRow, readHold } from '../../rows/money/posting-row.ts'
import { type Command, rows, withBucket } from '../statement/command.ts'
import { select, sql } from '../statement/sql.ts'

const COLUMNS = 'paid, available, held, earned'
const BALANCES = select<CellsOf<'account_balance', typeof COLUMNS, Balances>>(
  'account_balance',
  COLUMNS,
  'WHERE {bucket} account_id = ?',
)

/** On Citus, accounts are not on the servers of their balances: those are read first. */
const HOLDS = sql<HoldRow>(
  `WITH balance AS MATERIALIZED (
     SELECT account_id, held FROM account_balance WHERE account_id = coalesce(CAST(? AS bigint), account_id)
   ) SELECT currency, CAST(sum(held) AS bigint), count(*) FILTER (WHERE held > 0) FROM account JOIN balance USING (account_id)
   WHERE held > 0 OR state <> 'closed' OR CAST(? AS bigint) IS NOT NULL GROUP BY currency`,
)

/** Null for an account that does not exist. */
export function* balancesOf(accountId: AccountId): Command<Balances | null> {
  const [row] = yield* withBucket(bucketOf(accountId), rows(BALANCES, accountId))
  if (row === undefined) return null
  const [paid, available, held, earned] = row
  return { paid, available, held, earned }
}

/** By currency. */
export function* holds(accountId: AccountId | null): Command<readonly HoldTotal[]> {
  const found = yield* rows(HOLDS, accountId, accountId)
  return found.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(readHold)
}
