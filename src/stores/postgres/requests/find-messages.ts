/** Finds the messages that a client names, by our id or its own. Their contents are not opened. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { tokensOf } from '../../../domain/ids/client-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import type { Message } from '../../../domain/message/message.ts'
import type { MessageName } from '../../../ports/records/message-name.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { fromMessageRow, MESSAGE_COLUMNS, type MessageColumns, openHook } from '../../rows/messages/message-row.ts'
import type { Connection } from '../connection/connection.ts'
import { inBucket } from '../connection/statement.ts'

const BY_ID = inBucket<MessageColumns>(
  `SELECT ${MESSAGE_COLUMNS} FROM message WHERE bucket = $1 AND account_id = $2 AND msg_id = ANY ($3::bigint[])`,
)
/**
 * Reads the newest message of each client id and test flag. A client may give the same id to all its messages, so the
 * cost must not depend on their number:
 * - An equality would let the planner read the newest messages of the bucket or account until one has the id, which for
 *   an unknown id is all of them. Only message_of_client has the order of a range of ids.
 * - OFFSET 0 keeps the flag out of the scans, so that older partitions are read no further than their newest message.
 *   LIMIT 1 relies on the order of the subquery: with a second ORDER BY the planner expects that all rows are read.
 * - It expects that most rows pass `test + 0 <> …`. For an equality it may expect that few do, and sort all rows.
 */
const BY_CLIENT_ID = inBucket<MessageColumns>(
  `SELECT newest.* FROM unnest($3::text[], $4::smallint[]) AS wanted (id, test) CROSS JOIN LATERAL (
     SELECT * FROM (
       SELECT ${MESSAGE_COLUMNS} FROM message
       WHERE bucket = $1 AND account_id = $2 AND client_id >= wanted.id AND client_id <= wanted.id
       ORDER BY client_id DESC, msg_id DESC OFFSET 0
     ) AS named WHERE named.test + 0 <> 1 - wanted.test LIMIT 1
   ) AS newest`,
)

export async function findMessages(
  { connection, vault }: { readonly connection: Connection; readonly vault: Vault },
  accountId: AccountId,
  names: readonly MessageName[],
): Promise<readonly (Message | null)[]> {
  const ids = names.flatMap(({ messageId }) => messageId ?? [])
  const live = tokensIn(names, false)
  const tests = tokensIn(names, true)
  const tokens = [...live, ...tests]
  const flags = [...live.map(() => 0), ...tests.map(() => 1)]
  const bucket = bucketOf(accountId)
  const [byId, byClientId] = await Promise.all([
    ids.length > 0 ? connection.query(BY_ID, bucket, accountId, ids) : [],
    tokens.length > 0 ? connection.query(BY_CLIENT_ID, bucket, accountId, tokens, flags) : [],
  ])
  const read = (row: MessageColumns) => fromMessageRow([...openHook(row, vault), null])
  const messages = new Map(byId.map((row) => [row[0], read(row)]))
  const found = byClientId.map(read)
  const newest = new Map(found.map((message) => [`${message.test} ${message.clientId}`, message]))
  return names.map(({ messageId, clientId, test }) => {
    const tokens = clientId === null ? [] : tokensOf(clientId)
    const [named] = tokens.flatMap((token) => newest.get(`${test} ${token}`) ?? [])
    const message = messageId === null ? named : messages.get(messageId)
    if (message === undefined || message.test !== test) return null
    return clientId === null || tokens.includes(message.clientId ?? '') ? message : null
  })
}

/** Returns each token once. */
function tokensIn(names: readonly MessageName[], isTest: boolean): readonly string[] {
  const ofKind = names.filter(({ messageId, test }) => messageId === null && test === isTest)
  return [...new Set(ofKind.flatMap(({ clientId }) => (clientId === null ? [] : tokensOf(clientId))))]
}
