/** The ids that SMPP clients got for messages, besides those of the messages, in the bucket of their account. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf, type MessageId } from '../../../domain/ids/message-id.ts'
import type { NamedMessages, Once, OneName } from '../../../ports/stores/part-store.ts'
import type { HashPhone } from '../../vault/phone-hash.ts'
import { type Command, rows, withBucket, write } from '../statement/command.ts'
import { insert, sql } from '../statement/sql.ts'

const TABLE = 'smpp_id'
const NAME = insert(TABLE, 'account_id, id, msg_id, once, at, keep_until', 'ON CONFLICT DO NOTHING')
const OF_ID = sql<[messageId: MessageId]>(
  `SELECT msg_id FROM ${TABLE} WHERE {bucket} account_id = ? AND id = ? ORDER BY msg_id`,
)
const OF_ONCE = sql<[id: MessageId]>(
  `SELECT id FROM ${TABLE} WHERE {bucket} account_id = ? AND once = ? AND at > ? ORDER BY at, id LIMIT 1`,
)

/** In the bucket of the caller. Returns null for what is no repeat. */
export function* findOnce(accountId: AccountId, { key, since }: Once, hashPhone: HashPhone): Command<MessageId | null> {
  const [row] = yield* rows(OF_ONCE, accountId, hashPhone(key), since)
  return row?.[0] ?? null
}

/** In the bucket of the caller. */
export function* messagesNamed(accountId: AccountId, id: MessageId): Command<readonly MessageId[]> {
  return (yield* rows(OF_ID, accountId, id)).map(([messageId]) => messageId)
}

/** In the bucket of the caller. */
export function nameAll(named: NamedMessages, hashPhone: HashPhone): Command<void> {
  const { accountId, names, messageIds, at, keepUntil } = named
  const rowsOfNames = names.flatMap(({ id, onceKey }) => {
    const once = onceKey === null ? null : hashPhone(onceKey)
    return messageIds.map((messageId) => [accountId, id, messageId, once, at, keepUntil])
  })
  return write(NAME, ...rowsOfNames)
}

export function nameMessages({ once, id, ...named }: OneName, hashPhone: HashPhone): Command<MessageId> {
  return withBucket(bucketOf(named.accountId), name())

  function* name(): Command<MessageId> {
    const known = once === null ? null : yield* findOnce(named.accountId, once, hashPhone)
    if (known !== null) return known
    yield* nameAll({ ...named, names: [{ id, onceKey: once?.key ?? null }] }, hashPhone)
    return id
  }
}
