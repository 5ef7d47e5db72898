/** Finds messages that no carrier has. */
import { bucketOf } from '../../domain/message-id.ts'
import { QUEUED_LOOKS, type QueuedPage, type QueuedQuery } from '../../ports/queued-store.ts'
import { QUEUED_COLUMNS, type QueuedRow, queuedPage } from '../rows/queued-message.ts'
import type { Link } from './link.ts'
import { inBucket } from './statement.ts'

const OPEN = inBucket<QueuedRow>(
  `SELECT ${QUEUED_COLUMNS} FROM due JOIN message USING (bucket, msg_id)
   WHERE bucket = $1 AND msg_id > $2 ORDER BY msg_id LIMIT $3`,
)

export async function queuedOf(link: Link, { accountId, after }: QueuedQuery): Promise<QueuedPage> {
  return queuedPage(await link.query(OPEN, bucketOf(accountId), after, QUEUED_LOOKS), accountId)
}
