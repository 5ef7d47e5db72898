/** An inbound message as its account sees it: in the report and in the list. */
import type { Channel } from '../channels/channel.ts'
import type { AccountId } from '../ids/account-id.ts'
import type { MessageId } from '../ids/message-id.ts'
import { readPhone } from '../numbers/phone.ts'
import type { InboundReportForm } from './inbound-report-form.ts'

/** Messages in one list. */
export const MAX_INBOUND_LISTED = 200
export const DEFAULT_INBOUND_LISTED = 100

/** Replies to one message in its `status`, the newest ones. */
export const MAX_REPLIES_LISTED = 20
/** Texts of all replies that are read at once, bytes as stored. */
export const MAX_REPLIES_BYTES = 256 * 1024

export interface AccountInbound {
  /** Made like a message id. Grows with every inbound message of the account. */
  readonly id: MessageId
  readonly accountId: AccountId
  readonly channel: Channel
  /** Who wrote, as the carrier names them: usually E.164 digits. */
  readonly sender: string
  /** The messenger's id of who wrote; null if it names none. */
  readonly userId: string | null
  /** What they wrote to, as the carrier names it. */
  readonly recipient: string
  readonly text: string
  /** The keyword of the inbound number that the text begins with; null if that has none. */
  readonly keyword: string | null
  /** What the message has beside its text; null for a plain text. */
  readonly content: InboundContent | null
  readonly inReplyTo: AnsweredMessage | null
  /** By what an answer quotes it; null if the messenger has no quotes. */
  readonly quotable: Quote | null
  /** How many parts it was sent in. */
  readonly parts: number
  /** Milliseconds: when its last part arrived. */
  readonly at: number
}

/** A message of a recipient that an answer quotes. */
export interface Quote {
  /** Others do not know the id. */
  readonly carrierId: string
  /** The carrier's id of the message. */
  readonly ref: string
}

/** What an inbound message may be besides a plain text. */
export type InboundContent =
  | { readonly kind: 'location'; readonly latitude: number; readonly longitude: number }
  | {
      readonly kind: 'file'
      /** Absolute http(s) address; null if the messenger gives only an id. */
      readonly link: string | null
      /** The messenger's id of the file; null if it gives an address. */
      readonly mediaId: string | null
      readonly mimeType: string | null
      readonly name: string | null
    }
  /** A tapped suggestion or button, whose caption is the text. */
  | { readonly kind: 'suggestion'; readonly payload: string }

/** Returns the text of a message that has none. */
export function textOfInbound(content: InboundContent): string {
  switch (content.kind) {
    case 'location':
      return `geo:${content.latitude},${content.longitude}`
    case 'file':
      return content.link ?? content.name ?? content.mimeType ?? 'file'
    case 'suggestion':
      return content.payload
  }
}

function writeContent(content: InboundContent | null): object | null {
  if (content === null) return null
  if (content.kind !== 'file') {
    const { kind: type, ...members } = content
    return { type, ...members }
  }
  const { link, mediaId, mimeType, name } = content
  return { type: 'file', link, media_id: mediaId, mime_type: mimeType, name }
}

/** The message that an inbound message answers. */
export interface AnsweredMessage {
  readonly messageId: MessageId
  /** The client's id of the send as a JSON token; null without one. */
  readonly clientId: string | null
}

/** Returns the address of its file as other services name it; nothing without one. */
export function mediaOf({ content }: Pick<AccountInbound, 'content'>): { readonly media?: string } {
  return content?.kind === 'file' && content.link !== null ? { media: content.link } : {}
}

/** Writes the members of the message in a report of another form, without braces. */
export function writeInboundAs(action: Exclude<InboundReportForm, 'message.inbound'>, inbound: AccountInbound): string {
  const { id, sender, recipient, text, inReplyTo, at } = inbound
  const message = { sender: recipient, phone: readPhone(sender) ?? sender, message: text, ...mediaOf(inbound) }
  const facts = { action, ...message, datetime: new Date(at).toISOString(), inbound_id: id }
  const answered = inReplyTo === null ? '' : `,"id":${inReplyTo.clientId ?? 'null'},"msg_id":${inReplyTo.messageId}`
  return `${JSON.stringify(facts).slice(1, -1)}${answered}`
}

/** Writes the members of the message in a report or a list, without braces. */
export function writeInbound(inbound: AccountInbound): string {
  const { id, sender, userId, recipient, channel, text, keyword, content, inReplyTo, at } = inbound
  const phone = readPhone(sender)
  const answered =
    inReplyTo === null ? 'null' : `{"id":${inReplyTo.clientId ?? 'null'},"msg_id":${inReplyTo.messageId}}`
  const facts = {
    timestamp: new Date(at).toISOString(),
    inbound_id: id,
    phone: phone === null ? null : Number(phone),
    ...(userId === null ? {} : { user_id: userId }),
    from: sender,
    to: recipient,
    channel,
    text,
    keyword,
    content: writeContent(content),
  }
  return `${JSON.stringify(facts).slice(1, -1)},"in_reply_to":${answered}`
}
