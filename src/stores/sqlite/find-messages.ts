/** The messages that a client names, by our id or by its own. What their steps carry is not opened for it. */
import type { MessageName } from '../../ports/store.ts'
import { MESSAGE_COLUMNS, type MessageColumns, type MessageRow } from '../rows/message-row.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

export function findMessages({
  database,
}: Session): (accountId: number, names: readonly MessageName[]) => (MessageRow | null)[] {
  const select = `SELECT ${MESSAGE_COLUMNS} FROM message`
  const byId = new Statement<MessageColumns>(database, `${select} WHERE msg_id = ? AND account_id = ? AND test = ?`)
  const byClientId = new Statement<MessageColumns>(
    database,
    `${select} WHERE account_id = ? AND client_id = ? AND test = ? ORDER BY msg_id DESC LIMIT 1`,
  )
  return (accountId, names) =>
    names.map(({ messageId, clientId, test }) => {
      const found =
        messageId === null
          ? byClientId.first(accountId, clientId, Number(test))
          : byId.first(messageId, accountId, Number(test))
      return found === undefined || (clientId !== null && found[2] !== clientId) ? null : [...found, null]
    })
}
