/** Finds inbound messages whose automatic reply is still to be sent, and stores what became of it. */
import { REPLY_PENDING } from '../../domain/automatic-reply.ts'
import type { PendingReply, ReplyResult } from '../../ports/reply-store.ts'
import { INBOUND_COLUMNS, type InboundRow, readPendingReply } from '../rows/inbound-row.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

export function pendingReplies({ database, vault }: Session): (limit: number) => PendingReply[] {
  const find = new Statement<[...InboundRow]>(
    database,
    `SELECT ${INBOUND_COLUMNS} FROM inbound_message WHERE reply = '${REPLY_PENDING}' ORDER BY inbound_id LIMIT ?`,
  )
  return (limit) => find.all(limit).flatMap((row) => readPendingReply(row, vault) ?? [])
}

export function settleReplies({ database }: Session): (results: readonly ReplyResult[]) => void {
  const settle = new Statement(database, 'UPDATE inbound_message SET reply = ? WHERE account_id = ? AND event_id = ?')
  return (results) => {
    for (const { inbound, reply } of results) settle.run(reply, inbound.accountId, inbound.id)
  }
}
