/** Reads what recipients replied to messages. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf, type MessageId } from '../../../domain/ids/message-id.ts'
import { type AccountInbound, MAX_REPLIES_BYTES, MAX_REPLIES_LISTED } from '../../../domain/inbound/inbound-message.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { ACCOUNT_INBOUND_COLUMNS, type AccountInboundRow, openAccountInbound } from '../../rows/messages/inbound-row.ts'
import type { Connection } from '../connection/connection.ts'
import { inBucket } from '../connection/statement.ts'

const REPLIES = inBucket<AccountInboundRow>(
  `SELECT ${ACCOUNT_INBOUND_COLUMNS} FROM
    (SELECT reply.*, sum(octet_length(text)) OVER (ORDER BY asked.id, event_id DESC) AS bytes
     FROM (SELECT DISTINCT id FROM unnest($3::bigint[]) AS every (id)) AS asked CROSS JOIN LATERAL
       (SELECT ${ACCOUNT_INBOUND_COLUMNS} FROM inbound_message WHERE bucket = $1 AND account_id = $2 AND answers = asked.id
        ORDER BY event_id DESC LIMIT ${MAX_REPLIES_LISTED}) AS reply) AS sized
   WHERE bytes <= ${MAX_REPLIES_BYTES} ORDER BY event_id DESC`,
)

/** Messages and inbound messages of one account are in one bucket. */
export async function repliesTo(
  connection: Connection,
  vault: Vault,
  accountId: AccountId,
  ids: readonly MessageId[],
): Promise<readonly AccountInbound[]> {
  const rows = await connection.query(REPLIES, bucketOf(accountId), accountId, ids)
  return rows.map((row) => openAccountInbound(row, vault))
}
