/** Finds the messages that a client names, by our id or its own. Their contents are not opened. */
import { tokensOf } from '../../../domain/ids/client-id.ts'
import type { MessageName } from '../../../ports/records/message-name.ts'
import { MESSAGE_COLUMNS, type MessageColumns, type MessageRow, openHook } from '../../rows/messages/message-row.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

export function findMessages({
  database,
  vault,
}: Session): (accountId: number, names: readonly MessageName[]) => (MessageRow | null)[] {
  const select = `SELECT ${MESSAGE_COLUMNS} FROM message`
  const byId = new SqlStatement<MessageColumns>(database, `${select} WHERE msg_id = ? AND account_id = ? AND test = ?`)
  const byClientId = new SqlStatement<MessageColumns>(
    database,
    `${select} WHERE account_id = ? AND client_id = ? AND test = ? ORDER BY msg_id DESC LIMIT 1`,
  )
  const firstUnder = (accountId: number, tokens: readonly string[], test: boolean) => {
    for (const token of tokens) {
      const found = byClientId.first(accountId, token, Number(test))
      if (found !== undefined) return found
    }
    return undefined
  }
  return (accountId, names) =>
    names.map(({ messageId, clientId, test }) => {
      const tokens = clientId === null ? [] : tokensOf(clientId)
      const found =
        messageId === null ? firstUnder(accountId, tokens, test) : byId.first(messageId, accountId, Number(test))
      return found === undefined || (clientId !== null && !tokens.includes(found[2] ?? ''))
        ? null
        : [...openHook(found, vault), null]
    })
}
