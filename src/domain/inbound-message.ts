/** An inbound message as its account sees it: in the report and in the list. */
import type { AccountId } from './account.ts'
import type { Channel } from './channel.ts'
import type { MessageId } from './message-id.ts'
import { readPhone } from './phone.ts'

/** Messages in one list. */
export const MAX_INBOUND_LISTED = 200
export const DEFAULT_INBOUND_LISTED = 100

export interface AccountInbound {
  /** Made like a message id. Grows with every inbound message of the account. */
  readonly id: MessageId
  readonly accountId: AccountId
  readonly channel: Channel
  /** Who wrote, as the carrier names them: usually E.164 digits. */
  readonly sender: string
  /** What they wrote to, as the carrier names it. */
  readonly recipient: string
  readonly text: string
  /** The keyword of the inbound number that the text begins with; null if that has none. */
  readonly keyword: string | null
  readonly inReplyTo: AnsweredMessage | null
  /** Milliseconds: when its last part arrived. */
  readonly at: number
}

/** The message that an inbound message answers. */
export interface AnsweredMessage {
  readonly messageId: MessageId
  /** The client's id of the send as a JSON token; null without one. */
  readonly clientId: string | null
}

/** Writes the members of the message in a report or a list, without braces. */
export function writeInbound(inbound: AccountInbound): string {
  const { id, sender, recipient, channel, text, keyword, inReplyTo, at } = inbound
  const phone = readPhone(sender)
  const answered =
    inReplyTo === null ? 'null' : `{"id":${inReplyTo.clientId ?? 'null'},"msg_id":${inReplyTo.messageId}}`
  const facts = {
    timestamp: new Date(at).toISOString(),
    inbound_id: id,
    phone: phone === null ? null : Number(phone),
    from: sender,
    to: recipient,
    channel,
    text,
    keyword,
  }
  return `${JSON.stringify(facts).slice(1, -1)},"in_reply_to":${answered}`
}
