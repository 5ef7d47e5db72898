/** Reads the balances of an account. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import type { Balances } from '../../../domain/money/ledger.ts'
import type { Micros } from '../../../domain/money/money.ts'
import type { Link } from '../connection/link.ts'
import { inBucket } from '../connection/statement.ts'

const BALANCES = inBucket<[paid: Micros, available: Micros, held: Micros, earned: Micros]>(
  'SELECT paid, available, held, earned FROM account_balance WHERE bucket = $1 AND account_id = $2',
)

/** Null for an account that does not exist. */
export async function balancesOf(link: Link, accountId: AccountId): Promise<Balances | null> {
  const [row] = await link.query(BALANCES, bucketOf(accountId), accountId)
  if (row === undefined) return null
  const [paid, available, held, earned] = row
  return { paid, available, held, earned }
}
