/** Counts rows. */

import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import type { Balances } from '../../../domain/money/ledger.ts'
import type { Micros } from '../../../domain/money/money.ts'
import type { StoreCounts } from '../../../ports/stores/upkeep-store.ts'
import type { Link } from '../connection/link.ts'
import { inBucket, rare } from '../connection/statement.ts'

const COUNTS = rare<[open: number, pendingReports: number, failedReports: number, unreadEvents: number]>(
  `SELECT (SELECT count(*) FROM due), (SELECT count(*) FROM report WHERE state = 'pending'),
     (SELECT count(*) FROM report WHERE state = 'failed'),
     (SELECT coalesce(sum(last - acknowledged), 0)::bigint FROM event_feed)`,
)
const BALANCES = inBucket<[paid: Micros, available: Micros, held: Micros, earned: Micros]>(
  'SELECT paid, available, held, earned FROM account_balance WHERE bucket = $1 AND account_id = $2',
)

export async function counts(link: Link): Promise<StoreCounts> {
  const [[open, pendingReports, failedReports, unreadEvents] = [0, 0, 0, 0]] = await link.query(COUNTS)
  return { open, pendingReports, failedReports, unreadEvents }
}

/** Null for an account that does not exist. */
export async function balancesOf(link: Link, accountId: AccountId): Promise<Balances | null> {
  const [row] = await link.query(BALANCES, bucketOf(accountId), accountId)
  if (row === undefined) return null
  const [paid, available, held, earned] = row
  return { paid, available, held, earned }
}
