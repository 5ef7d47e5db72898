/** Clicks by target on PostgreSQL (rows/statistics/link-total.ts). */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { LINK_TOTAL_COLUMNS, LINK_TOTAL_KEY, type LinkTotals, nameOfTotal } from '../../rows/statistics/link-total.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import { inBucket, insertion, typesOf, unnest } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'

const KNOWN = inBucket<[accountId: AccountId, day: number, bulkId: number, target: string]>(
  `SELECT ${LINK_TOTAL_KEY} FROM link_total JOIN ${unnest(typesOf('link_total', LINK_TOTAL_KEY), 2)} USING (${LINK_TOTAL_KEY}) WHERE bucket = $1`,
)
const COUNTS = inBucket<[accountId: number, day: number, rows: number]>(
  `SELECT account_id, day, count(*) FROM link_total
   JOIN (SELECT DISTINCT * FROM ${unnest(typesOf('link_total', 'account_id, day'), 2)}) AS asked USING (account_id, day)
   WHERE bucket = $1 GROUP BY account_id, day`,
)
const ADD = insertion(
  'link_total',
  LINK_TOTAL_COLUMNS,
  // In one order everywhere, so that nodes do not deadlock.
  `ORDER BY bucket, ${LINK_TOTAL_KEY} ON CONFLICT (bucket, ${LINK_TOTAL_KEY}) DO UPDATE SET
     human_clicks = link_total.human_clicks + excluded.human_clicks,
     bot_clicks = link_total.bot_clicks + excluded.bot_clicks, links = link_total.links + excluded.links,
     first_at = least(link_total.first_at, excluded.first_at), last_at = greatest(link_total.last_at, excluded.last_at)`,
)

export async function addLinkTotals(session: Session, totals: LinkTotals): Promise<void> {
  const [keys, days] = [new ByBucket<readonly Cell[]>(), new ByBucket<readonly Cell[]>()]
  for (const [accountId, day, bulkId, target] of totals.rows) {
    keys.add(bucketOf(accountId), [accountId, day, bulkId, target])
    days.add(bucketOf(accountId), [accountId, day])
  }
  const [known, counted] = await Promise.all([session.queryRows(KNOWN, keys), session.queryRows(COUNTS, days)])
  const names = new Set(known.map((key) => nameOfTotal(key)))
  const counts = new Map(counted.map(([accountId, day, rows]) => [`${accountId} ${day}`, rows]))
  const rows = new ByBucket<readonly Cell[]>()
  for (const row of totals.fitting(names, counts, session.vault)) rows.add(bucketOf(row[0]), row)
  session.insert(ADD, rows)
}
