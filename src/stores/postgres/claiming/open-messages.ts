/** Finds open messages: of one account in its bucket, of all accounts bucket by bucket. */
import { BUCKETS, bucketOf } from '../../../domain/ids/message-id.ts'
import { OPEN_LOOKS, type OpenPage, type OpenQuery } from '../../../ports/stores/queued-store.ts'
import { OPEN_COLUMNS, type OpenRow, openPage } from '../../rows/messages/open-message.ts'
import type { Link } from '../connection/link.ts'
import { inBucket } from '../connection/statement.ts'

const OPEN = inBucket<OpenRow>(
  `SELECT ${OPEN_COLUMNS} FROM due JOIN message USING (bucket, msg_id)
   WHERE bucket = $1 AND msg_id > $2 ORDER BY msg_id LIMIT $3`,
)

/** An id names its bucket; a number below the first id is a bucket that begins. */
export async function openMessages(link: Link, query: OpenQuery): Promise<OpenPage> {
  const { accountId, after } = query
  const bucket = accountId === null ? after % BUCKETS : bucketOf(accountId)
  const page = openPage(await link.query(OPEN, bucket, after, OPEN_LOOKS), query)
  const nextBucket = bucket + 1 < BUCKETS ? bucket + 1 : null
  return accountId === null && page.next === null ? { ...page, next: nextBucket } : page
}
