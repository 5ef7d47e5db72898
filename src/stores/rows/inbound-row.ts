/** Rows of inbound messages. */
import { toAccountId } from '../../domain/account.ts'
import type { AccountInbound } from '../../domain/inbound-message.ts'
import type { MessageId } from '../../domain/message-id.ts'
import type { InboundMessage } from '../../ports/carrier.ts'
import type { Vault } from '../../ports/vault.ts'

/** `text` and `facts` are sealed. The last three are null for a message to a number of no account. */
export type InboundRow = readonly [
  carrierId: string,
  sender: string,
  recipient: string,
  text: string,
  at: number,
  accountId: number | null,
  eventId: number | null,
  facts: string | null,
]

/** What the row of an account's message stores as JSON. */
type Facts = Pick<AccountInbound, 'channel' | 'keyword' | 'content' | 'inReplyTo'>

export function inboundRow(message: InboundMessage, owned: AccountInbound | null, vault: Vault): InboundRow {
  const { carrierId, sender, recipient, text, at } = message
  const whole = [carrierId, sender, recipient, vault.seal(text), at] as const
  if (owned === null) return [...whole, null, null, null]
  const { channel, keyword, content, inReplyTo } = owned
  const facts: Facts = { channel, keyword, content, inReplyTo }
  return [...whole, owned.accountId, owned.id, vault.seal(JSON.stringify(facts))]
}

const COLUMNS = 'event_id, account_id, sender, recipient, text, at, facts'

/** Selects the inbound messages of an account by a condition and a limit of rows, up to a number of bytes. */
export function selectAccountInbound(condition: string, limit: string, maxBytes: string): string {
  return `SELECT ${COLUMNS} FROM
    (SELECT ${COLUMNS}, sum(octet_length(text)) OVER (ORDER BY event_id) AS bytes, row_number() OVER (ORDER BY event_id) AS place
     FROM (SELECT ${COLUMNS} FROM inbound_message WHERE ${condition} ORDER BY event_id LIMIT ${limit}) AS next) AS sized
    WHERE bytes <= ${maxBytes} OR place = 1 ORDER BY event_id`
}

export type AccountInboundRow = [
  eventId: number,
  accountId: number,
  sender: string,
  recipient: string,
  text: string,
  at: number,
  facts: string,
]

export function readAccountInbound(row: AccountInboundRow, vault: Vault): AccountInbound {
  const [eventId, accountId, sender, recipient, sealed, at, facts] = row
  const text = vault.openText(sealed)
  const { channel, keyword, content = null, inReplyTo }: Facts = JSON.parse(vault.openText(facts))
  const ids = { id: eventId as MessageId, accountId: toAccountId(accountId) }
  return { ...ids, sender, recipient, text, at, channel, keyword, content, inReplyTo }
}
