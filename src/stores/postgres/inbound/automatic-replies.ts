/** Finds inbound messages whose automatic reply is still to be sent, and stores what became of it. */
import { bucketOf } from '../../../domain/ids/message-id.ts'
import { REPLY_PENDING } from '../../../domain/inbound/automatic-reply.ts'
import type { PendingReply, PendingReplyQuery, ReplyResult } from '../../../ports/stores/reply-store.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { INBOUND_COLUMNS, type InboundRow, readPendingReply } from '../../rows/messages/inbound-row.ts'
import type { Link } from '../connection/link.ts'
import { inBucket, lookUp } from '../connection/statement.ts'

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
