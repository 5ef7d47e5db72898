/** Finds inbound messages whose automatic reply is still to be sent, and stores what became of it. */
import { REPLY_PENDING } from '../../domain/automatic-reply.ts'
import { bucketOf } from '../../domain/message-id.ts'
import type { PendingReply, PendingReplyQuery, ReplyResult } from '../../ports/reply-store.ts'
import type { Vault } from '../../ports/vault.ts'
import { INBOUND_COLUMNS, type InboundRow, readPendingReply } from '../rows/inbound-row.ts'
import type { Link } from './link.ts'
import { inBucket, lookUp } from './statement.ts'

const PENDING = `reply = '${REPLY_PENDING}'`
const FIND = lookUp<[...InboundRow]>(
  `SELECT ${INBOUND_COLUMNS} FROM inbound_message WHERE ${PENDING} AND account_id =
     (SELECT account_id FROM inbound_message WHERE ${PENDING} AND account_id > $1 ORDER BY account_id LIMIT 1)
   ORDER BY inbound_id LIMIT $2`,
)
const SETTLE = inBucket('UPDATE inbound_message SET reply = $4 WHERE bucket = $1 AND account_id = $2 AND event_id = $3')

export async function pendingReplies(
  link: Link,
  vault: Vault,
  { after, limit }: PendingReplyQuery,
): Promise<readonly PendingReply[]> {
  return (await link.query(FIND, after ?? 0, limit)).flatMap((row) => readPendingReply(row, vault) ?? [])
}

export async function settleReplies(link: Link, results: readonly ReplyResult[]): Promise<void> {
  await Promise.all(
    results.map(({ inbound: { id, accountId }, reply }) =>
      link.execute(SETTLE, [bucketOf(accountId), accountId, id, reply]),
    ),
  )
}
