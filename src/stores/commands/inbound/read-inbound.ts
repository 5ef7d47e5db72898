/** Reads inbound messages, and stores what became of their automatic replies. */
import { bucketOf } from '../../../domain/ids/message-id.ts'
import { REPLY_PENDING } from '../../../domain/inbound/automatic-reply.ts'
import type { AccountInbound } from '../../../domain/inbound/inbound-message.ts'
import type { InboundKey, InboundMessage, KeptInboundKey } from '../../../ports/carriers/carrier.ts'
import type { InboundQuery } from '../../../ports/stores/query-store.ts'
import type { PendingReply, PendingReplyQuery, ReplyResult } from '../../../ports/stores/reply-store.ts'
import { bucketOfCarrier } from '../../rows/cells/bucket-of-ref.ts'
import {
  ACCOUNT_INBOUND_COLUMNS,
  type AccountInboundRow,
  INBOUND_COLUMNS,
  type InboundRow,
  readAccountInbound,
  readPendingReply,
  SELECT_ACCOUNT_INBOUND,
} from '../../rows/messages/inbound-row.ts'
import { type Command, rows, withBucket, write } from '../statement/command.ts'
import { lookUpRows, select, sql, update } from '../statement/sql.ts'

const TABLE = 'inbound_message'
const NEWEST = select<[carrierId: string, sender: string, recipient: string, text: string, at: number]>(
  TABLE,
  'carrier_id, sender, recipient, text, at',
  'ORDER BY inbound_id DESC LIMIT ?',
)
const OF_ACCOUNT = sql<AccountInboundRow>(SELECT_ACCOUNT_INBOUND, { table: TABLE, columns: ACCOUNT_INBOUND_COLUMNS })
const PENDING = `reply = '${REPLY_PENDING}'`
/** Of the first account that has any. */
const REPLIES = lookUpRows<InboundRow>(
  TABLE,
  INBOUND_COLUMNS,
  `WHERE ${PENDING} AND account_id =
     (SELECT account_id FROM inbound_message WHERE ${PENDING} AND account_id > ? ORDER BY account_id LIMIT 1)
   ORDER BY inbound_id LIMIT ?`,
)
const KEPT_KEYS = sql<[key: string, keepUntil: number]>(
  'SELECT key, keep_until FROM inbound_key WHERE {bucket} carrier_id = ? AND key {any text}',
)
const SETTLE = update(TABLE, 'reply', 'account_id, event_id')

export function* keptInboundKeys(keys: readonly InboundKey[]): Command<readonly KeptInboundKey[]> {
  const kept: KeptInboundKey[] = []
  for (const [carrierId, own] of Map.groupBy(keys, (key) => key.carrierId)) {
    const names = own.map(({ key }) => key)
    const found = yield* withBucket(bucketOfCarrier(carrierId), rows(KEPT_KEYS, carrierId, names))
    for (const [key, keepUntil] of found) kept.push({ carrierId, key, keepUntil })
  }
  return kept
}

export function* inboundMessages(most: number): Command<readonly InboundMessage[]> {
  const newest = yield* rows(NEWEST, most)
  return newest.map(([carrierId, sender, recipient, text, at]) => ({ carrierId, sender, recipient, text, at }))
}

export function* inboundOf(query: InboundQuery): Command<readonly AccountInbound[]> {
  const { accountId, after, limit, maxBytes } = query
  const found = yield* withBucket(bucketOf(accountId), rows(OF_ACCOUNT, accountId, after ?? 0, limit, maxBytes))
  return found.map(readAccountInbound)
}

export function* pendingReplies({ after, limit }: PendingReplyQuery): Command<readonly PendingReply[]> {
  return (yield* rows(REPLIES, after ?? 0, limit)).flatMap((row) => readPendingReply(row) ?? [])
}

export function* settleReplies(results: readonly ReplyResult[]): Command<void> {
  for (const { inbound, reply } of results) {
    yield* withBucket(bucketOf(inbound.accountId), write(SETTLE, [reply, inbound.accountId, inbound.id]))
  }
}
