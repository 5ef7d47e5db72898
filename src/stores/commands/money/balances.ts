/** Reads the balances of an account. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import type { Balances } from '../../../domain/money/ledger.ts'
import type { CellsOf } from '../../rows/cells/cells-of.ts'
import { type Command, inBucket, rows } from '../statement/command.ts'
import { select } from '../statement/sql.ts'

const COLUMNS = 'paid, available, held, earned'
const BALANCES = select<CellsOf<'account_balance', typeof COLUMNS, Balances>>(
  'account_balance',
  COLUMNS,
  'WHERE {bucket} account_id = ?',
)

/** Null for an account that does not exist. */
export function* balancesOf(accountId: AccountId): Command<Balances | null> {
  const [row] = yield* inBucket(bucketOf(accountId), rows(BALANCES, accountId))
  if (row === undefined) return null
  const [paid, available, held, earned] = row
  return { paid, available, held, earned }
}
