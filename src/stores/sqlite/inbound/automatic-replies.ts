/** Finds inbound messages whose automatic reply is still to be sent, and stores what became of it. */
import { REPLY_PENDING } from '../../../domain/inbound/automatic-reply.ts'
import type { PendingReply, PendingReplyQuery, ReplyResult } from '../../../ports/stores/reply-store.ts'
import { INBOUND_COLUMNS, type InboundRow, readPendingReply } from '../../rows/messages/inbound-row.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

const PENDING = `reply = '${REPLY_PENDING}'`

export function pendingReplies({ database, vault }: Session): (query: PendingReplyQuery) => PendingReply[] {
  const find = new Statement<[...InboundRow]>(
    database,
    `SELECT ${INBOUND_COLUMNS} FROM inbound_message WHERE ${PENDING} AND account_id =
       (SELECT account_id FROM inbound_message WHERE ${PENDING} AND account_id > ? ORDER BY account_id LIMIT 1)
     ORDER BY inbound_id LIMIT ?`,
  )
  return ({ after, limit }) => find.all(after ?? 0, limit).flatMap((row) => readPendingReply(row, vault) ?? [])
}

export function settleReplies({ database }: Session): (results: readonly ReplyResult[]) => void {
  const settle = new Statement(database, 'UPDATE inbound_message SET reply = ? WHERE account_id = ? AND event_id = ?')
  return (results) => {
    for (const { inbound, reply } of results) settle.run(reply, inbound.accountId, inbound.id)
  }
}
