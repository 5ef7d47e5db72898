/** Counts the reports of messages by state. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf, type MessageId } from '../../../domain/ids/message-id.ts'
import type { ReportTally } from '../../../ports/records/pending-report.ts'
import type { Connection } from '../connection/connection.ts'
import { inBucket } from '../connection/statement.ts'

const TALLY = inBucket<
  [messageId: MessageId, state: ReportTally['state'], count: number, triedAt: number | null, detail: string]
>(
  `SELECT msg_id, state, count(*), max(tried_at), (array_agg(detail ORDER BY tried_at DESC NULLS LAST))[1]
   FROM report WHERE bucket = $1 AND msg_id = ANY ($2::bigint[]) GROUP BY msg_id, state`,
)

/** Messages of one account are in one bucket. */
export async function tallyReports(
  connection: Connection,
  accountId: AccountId,
  ids: readonly MessageId[],
): Promise<readonly ReportTally[]> {
  const rows = await connection.query(TALLY, bucketOf(accountId), ids)
  return rows.map(([messageId, state, count, triedAt, detail]) => ({ messageId, state, count, triedAt, detail }))
}
