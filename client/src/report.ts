/** Reports: what the gateway posts to a hook, as named in its JSON. */
import type { Channel, Id, VerifyChannel } from './operation.ts'

export type Status =
  | 'QUEUED'
  | 'ACCEPTED'
  | 'DELIVERED'
  | 'READ'
  | 'EXPIRED'
  | 'UNDELIVERABLE'
  | 'REJECTED'
  | 'FILTERED'
  | 'NO ROUTE'
  | 'UNKNOWN'
  | 'CANCELLED'

/** WhatsApp's id of a user, such as `US.13491208655302741918`. A send takes it as its `phone`. */
export type UserId = string

export interface ReportedMessage {
  /** When it happened, RFC 3339. */
  readonly timestamp: string
  /** The `id` of the send; null when it had none. */
  readonly id: Id | null
  readonly msg_id: number
  /** Null if only the user id is known. */
  readonly phone: number | null
  readonly user_id?: UserId
  /** The message was sent with a test key; absent otherwise. */
  readonly test?: true
}

/** The status of a message: final statuses, that it was read, and intermediate ones for accounts that enable them. */
export interface StatusReport extends ReportedMessage {
  readonly type: 'message.status'
  readonly status: Status
  /** `call` of a `call/otp`, which reports to the default hook of the account. */
  readonly channel: Channel | VerifyChannel | null
  readonly parts: number | null
  /** Charged so far. */
  readonly price: number
  readonly currency: string
  /** Why it was not delivered, if the carrier reported it; null otherwise. */
  readonly error: string | null
  readonly steps: readonly ReportedStep[]
  /** The requested send time, RFC 3339; absent if there was none. */
  readonly send_at?: string
}

export interface ReportedStep {
  readonly channel: Channel | VerifyChannel
  readonly status: Status
  /** RFC 3339. */
  readonly at: string
}

/** A human opened a short link for the first time. */
export interface ClickReport extends ReportedMessage {
  readonly type: 'link.clicked'
  /** The target address. */
  readonly url: string
  readonly code: string
}

/** The recipient has opted out of a sender, or in again. */
export interface ConsentReport extends ReportedMessage {
  readonly type: 'recipient.opted_out' | 'recipient.opted_in'
  /** Null for all senders of the account. */
  readonly sender: string | null
  readonly channel: Channel
  /**
   * By the unsubscribe link; by a keyword or the messenger, then the newest message of the sender is named; or the
   * carrier reported it.
   */
  readonly by: 'link' | 'keyword' | 'carrier'
}

/** A verification has ended: the only report of it. */
export interface VerifyReport extends ReportedMessage {
  readonly type: 'verify.status'
  readonly verify_id: number
  /** `too_many`: wrong codes. `failed`: no channel reached the recipient. */
  readonly status: 'approved' | 'expired' | 'too_many' | 'failed' | 'cancelled'
  /** The channel whose code was approved, or the last one. */
  readonly channel: VerifyChannel
  readonly price: number
  readonly currency: string
}

/** How many lines and messages a bulk has, and what they cost. */
export interface BulkCounts {
  /** Lines received, refused ones included. */
  readonly lines: number
  /** Lines that a check refused, at the upload or at their turn. */
  readonly refused: number
  /** Lines that were not sent yet; at the end, those that never will be, because the bulk was stopped. */
  readonly waiting: number
  /** Lines that became messages. */
  readonly accepted: number
  /** Lines whose unique `id` was accepted before; nothing was sent again. */
  readonly repeated: number
  /** Lines that `skip_duplicates` dropped; absent without it. */
  readonly duplicates?: number
  /** Lines whose recipient was erased before their turn. */
  readonly erased: number
  /** Number of messages by their present status. */
  readonly messages: Readonly<Partial<Record<Status, number>>>
  /** The most that all lines can cost, by the prices at their upload. */
  readonly estimate: number
  /** Charged so far. */
  readonly price: number
  /** ISO 4217. */
  readonly currency: string
}

/** A bulk has ended, and all of its messages have their final status. */
export interface BulkReport extends BulkCounts {
  readonly type: 'bulk.finished'
  /** RFC 3339. */
  readonly timestamp: string
  /** The `id` of `bulk/create`; null when it had none. */
  readonly id: Id | null
  readonly bulk_id: number
  readonly state: 'finished' | 'stopped'
  readonly test?: true
}

/** The account's balance fell below its limit: reported once, until the balance has been above it again. */
export interface BalanceReport {
  readonly type: 'balance.low'
  /** RFC 3339. */
  readonly timestamp: string
  /** The name of the account. */
  readonly account: string
  readonly available: number
  readonly threshold: number
  /** ISO 4217. */
  readonly currency: string
}

/** A recipient wrote to a number of the account. */
export interface InboundReport extends InboundMessage {
  readonly type: 'message.inbound'
}

export type InboundContent =
  | { readonly type: 'location'; readonly latitude: number; readonly longitude: number }
  | {
      readonly type: 'file'
      /** Null if the messenger gives only an id. */
      readonly link: string | null
      /** The messenger's id of the file; null if it gives a link. */
      readonly media_id: string | null
      readonly mime_type: string | null
      readonly name: string | null
    }
  /** The text is its caption. */
  | { readonly type: 'suggestion'; readonly payload: string }

/** A message to a number, short code or agent of the account. */
export interface InboundMessage {
  /** When it arrived, RFC 3339. */
  readonly timestamp: string
  /** Grows with every inbound message of the account. */
  readonly inbound_id: number
  /** Who wrote; null if the carrier does not name a phone number. */
  readonly phone: number | null
  readonly user_id?: UserId
  /** Who wrote, as the carrier names them. */
  readonly from: string
  /** What they wrote to, as the carrier names it. */
  readonly to: string
  readonly channel: 'rcs' | 'chatapp' | 'sms'
  readonly text: string
  /** The keyword of the number that the text begins with; null if it has none. */
  readonly keyword: string | null
  /** A location, a file or a tapped suggestion; null for a plain text. */
  readonly content: InboundContent | null
  /** The message that it answers; null if that is not known. */
  readonly in_reply_to: { readonly id: Id | null; readonly msg_id: number } | null
}

/** What `hook/test` posts. */
export interface TestReport {
  readonly type: 'hook.test'
  /** RFC 3339. */
  readonly timestamp: string
  readonly hook_id: number
}

/** A report of a type that this version does not know. */
export interface UnknownReport {
  readonly type: 'unknown'
  /** The type in the body. */
  readonly unknownType: string
  readonly body: Readonly<Record<string, unknown>>
}

export type Report =
  | StatusReport
  | ClickReport
  | ConsentReport
  | VerifyReport
  | BalanceReport
  | BulkReport
  | InboundReport
  | TestReport
  | UnknownReport

const KNOWN_TYPES: readonly string[] = [
  'message.status',
  'link.clicked',
  'recipient.opted_out',
  'recipient.opted_in',
  'verify.status',
  'balance.low',
  'bulk.finished',
  'message.inbound',
  'hook.test',
] satisfies readonly Report['type'][]

/** Null if it is not a report. */
export function readReport(body: unknown): Report | null {
  if (typeof body !== 'object' || body === null || !('type' in body) || typeof body.type !== 'string') return null
  if (KNOWN_TYPES.includes(body.type)) return body as Report
  return { type: 'unknown', unknownType: body.type, body: body as Readonly<Record<string, unknown>> }
}
