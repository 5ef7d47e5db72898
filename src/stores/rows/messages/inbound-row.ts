/** Rows of inbound messages. */

import { toAccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { AccountInbound } from '../../../domain/inbound/inbound-message.ts'
import type { InboundMessage } from '../../../ports/carriers/carrier.ts'
import type { ListedInbound } from '../../../ports/records/pages.ts'
import type { TracedReport } from '../../../ports/records/pending-report.ts'
import type { InboundTrace } from '../../../ports/records/trace.ts'
import type { PendingReply } from '../../../ports/stores/reply-store.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import type { Cell } from '../cells/cell.ts'
import type { CellsOf } from '../cells/cells-of.ts'

/** `text` and `facts` are sealed. What is null belongs to a message to a number of an account. */
export type InboundRow = Readonly<CellsOf<'inbound_message', typeof INBOUND_COLUMNS, { answers: MessageId | null }>>

/** An inbound message of an account, as written. */
export interface OwnedInbound {
  readonly inbound: AccountInbound
  readonly reply: string | null
}

/** What the row of an account's message stores as JSON. */
type Facts = Pick<AccountInbound, 'channel' | 'keyword' | 'content' | 'inReplyTo'> & {
  readonly parts?: number
  readonly quotable?: AccountInbound['quotable']
  readonly userId?: AccountInbound['userId']
}

export function inboundRow(message: InboundMessage, owned: OwnedInbound | null, vault: Vault): InboundRow {
  const { carrierId, sender, recipient, text, at } = message
  const whole = [carrierId, sender, recipient, vault.seal(text), at] as const
  if (owned === null) return [...whole, null, null, null, null, null]
  const { id, accountId: account, channel, keyword, content, inReplyTo, quotable, parts, userId } = owned.inbound
  const rare = { ...(parts === 1 ? {} : { parts }), ...(userId === null ? {} : { userId }) }
  const facts: Facts = { channel, keyword, content, inReplyTo, quotable, ...rare }
  return [...whole, account, id, vault.seal(JSON.stringify(facts)), owned.reply, inReplyTo?.messageId ?? null]
}

/** The columns of `AccountInboundRow`, in its order. */
export const ACCOUNT_INBOUND_COLUMNS = 'event_id, account_id, sender, recipient, text, at, facts'

/** Selects the inbound messages of an account after an event up to a limit of rows and of bytes. */
export const SELECT_ACCOUNT_INBOUND = `SELECT ${ACCOUNT_INBOUND_COLUMNS} FROM
    (SELECT ${ACCOUNT_INBOUND_COLUMNS}, sum(octet_length(text)) OVER (ORDER BY event_id) AS bytes, row_number() OVER (ORDER BY event_id) AS place
     FROM (SELECT ${ACCOUNT_INBOUND_COLUMNS} FROM inbound_message WHERE {bucket} account_id = ? AND event_id > ? ORDER BY event_id LIMIT ?) AS next) AS sized
    WHERE bytes <= ? OR place = 1 ORDER BY event_id`

export type AccountInboundRow = CellsOf<
  'inbound_message',
  typeof ACCOUNT_INBOUND_COLUMNS,
  { event_id: number; account_id: number; facts: string }
>

/** Opens the sealed cells of a row. */
export function openAccountInbound(row: AccountInboundRow, vault: Vault): AccountInbound {
  return readAccountInbound(row.with(4, vault.openText(row[4])).with(6, vault.openText(row[6])) as AccountInboundRow)
}

/** Of a row that is opened. */
export function readAccountInbound([
  eventId,
  accountId,
  sender,
  recipient,
  text,
  at,
  facts,
]: AccountInboundRow): AccountInbound {
  const read: Facts = JSON.parse(facts)
  const { channel, keyword, content = null, inReplyTo, quotable = null, parts = 1, userId = null } = read
  const ids = { id: eventId as MessageId, accountId: toAccountId(accountId) }
  return { ...ids, sender, userId, recipient, text, at, channel, keyword, content, inReplyTo, quotable, parts }
}

/** The columns of `InboundRow`, in its order. */
export const INBOUND_COLUMNS = 'carrier_id, sender, recipient, text, at, account_id, event_id, facts, reply, answers'

/** Opens the sealed cells of a row after its key. */
export function openInbound(row: readonly Cell[], vault: Vault): readonly Cell[] {
  const facts = row[8] ?? null
  return row.with(4, vault.openText(String(row[4]))).with(8, facts === null ? null : vault.openText(String(facts)))
}

/** `row` is opened. */
export function readListedInbound(row: InboundRow): ListedInbound {
  const [carrierId, sender, recipient, text, at, accountId, eventId, facts, reply] = row
  const message = { carrierId, sender, recipient, text, at }
  if (accountId === null || eventId === null || facts === null) return { ...message, owned: null, reply }
  return { ...message, reply, owned: readAccountInbound([eventId, accountId, sender, recipient, text, at, facts]) }
}

/** `row` is opened. Returns null for a message of no account. */
export function readInboundTrace(row: InboundRow, reports: readonly TracedReport[]): InboundTrace | null {
  const { carrierId, owned, reply } = readListedInbound(row)
  return owned === null ? null : { inbound: owned, carrierId, reply, reports }
}

/** `row` is opened. Returns null for a message of no account. */
export function readPendingReply(row: InboundRow): PendingReply | null {
  const { carrierId, owned } = readListedInbound(row)
  return owned === null ? null : { inbound: owned, carrierId }
}
