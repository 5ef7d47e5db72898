/** Reads what recipients replied to messages. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import { type AccountInbound, MAX_REPLIES_BYTES, MAX_REPLIES_LISTED } from '../../../domain/inbound/inbound-message.ts'
import { ACCOUNT_INBOUND_COLUMNS, type AccountInboundRow, openAccountInbound } from '../../rows/messages/inbound-row.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

export function repliesTo({
  database,
  vault,
}: Session): (accountId: AccountId, ids: readonly MessageId[]) => readonly AccountInbound[] {
  const select = new SqlStatement<AccountInboundRow>(
    database,
    `SELECT ${ACCOUNT_INBOUND_COLUMNS} FROM inbound_message WHERE answers = ? AND account_id = ?
     ORDER BY event_id DESC LIMIT ${MAX_REPLIES_LISTED}`,
  )
  return (accountId, ids) => {
    let bytes = 0
    const fitting: AccountInbound[] = []
    for (const id of new Set(ids)) {
      for (const row of select.all(id, accountId)) {
        bytes += Buffer.byteLength(row[4])
        if (bytes > MAX_REPLIES_BYTES) return fitting
        fitting.push(openAccountInbound(row, vault))
      }
    }
    return fitting
  }
}
