/** Finds the messages that a client names, by our id or its own. Their contents are not opened. */
import type { AccountId } from '../../domain/account.ts'
import { tokensOf } from '../../domain/client-id.ts'
import type { Message } from '../../domain/message.ts'
import { bucketOf } from '../../domain/message-id.ts'
import type { MessageName } from '../../ports/message-name.ts'
import { fromMessageRow, MESSAGE_COLUMNS, type MessageColumns } from '../rows/message-row.ts'
import type { Link } from './link.ts'
import { inBucket } from './statement.ts'

const BY_ID = inBucket<MessageColumns>(
  `SELECT ${MESSAGE_COLUMNS} FROM message WHERE bucket = $1 AND account_id = $2 AND msg_id = ANY ($3::bigint[])`,
)
const BY_CLIENT_ID = inBucket<MessageColumns>(
  `SELECT DISTINCT ON (client_id, test) ${MESSAGE_COLUMNS} FROM message
   WHERE bucket = $1 AND account_id = $2 AND client_id = ANY ($3::text[]) ORDER BY client_id, test, msg_id DESC`,
)

export async function findMessages(
  link: Link,
  accountId: AccountId,
  names: readonly MessageName[],
): Promise<readonly (Message | null)[]> {
  const ids = names.flatMap(({ messageId }) => messageId ?? [])
  const clientIds = names.flatMap(({ messageId, clientId }) =>
    messageId === null && clientId !== null ? tokensOf(clientId) : [],
  )
  const bucket = bucketOf(accountId)
  const [byId, byClientId] = await Promise.all([
    ids.length > 0 ? link.query(BY_ID, bucket, accountId, ids) : [],
    clientIds.length > 0 ? link.query(BY_CLIENT_ID, bucket, accountId, clientIds) : [],
  ])
  const messages = new Map(byId.map((row) => [row[0], fromMessageRow([...row, null])]))
  const newest = byClientId.map((row) => fromMessageRow([...row, null]))
  const live = new Map(newest.filter(({ test }) => !test).map((message) => [message.clientId, message]))
  const tests = new Map(newest.filter(({ test }) => test).map((message) => [message.clientId, message]))
  return names.map(({ messageId, clientId, test }) => {
    const tokens = clientId === null ? [] : tokensOf(clientId)
    const named = tokens.flatMap((token) => (test ? tests : live).get(token) ?? [])
    const found = messageId === null ? named[0] : messages.get(messageId)
    if (found === undefined || found.test !== test) return null
    return clientId === null || tokens.includes(found.clientId ?? '') ? found : null
  })
}
