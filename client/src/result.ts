/** The gateway's result for each operation, as named in its JSON API. */

import type { Bulk, BulkError } from './bulk.ts'
import type { Postings, Statement } from './money.ts'
import type { Channel, Id, OperationType, ReportType, SendType, VerifyChannel } from './operation.ts'
import type { ItemError } from './posthorn-error.ts'
import type { InboundMessage, Status, UserId } from './report.ts'
import type { StatisticsLine } from './statistics.ts'

export interface SendResult {
  /** The `id` of the operation, as given; absent if there was none. */
  readonly id?: Id
  /** The gateway's id of the message. */
  readonly msg_id: number
  /** The accept code: the message is stored and will be sent. */
  readonly data: number
  /** SMS parts if SMS is among the channels; otherwise 1. */
  readonly parts: number
}

export interface CallResult {
  /** The last digits of the calling number: 4 to 6, as text because they may begin with a zero. */
  readonly code: string
  /** What the account pays, in its currency. */
  readonly price: number
}

export interface Template {
  readonly id: number
  readonly template: string
  readonly name: string
  /** Characters and SMS parts, as in `8 / 1`. */
  readonly count: string
}

export interface ChatTemplate {
  readonly id: number
  readonly template: string
  readonly signature: string
  readonly status: 'new' | 'submitted' | 'resubmitted' | 'rejected' | 'removed' | 'approved'
}

export interface Balance {
  /** Available money, without what is held for open messages. */
  readonly amount: number
  /** ISO 4217. */
  readonly currency: string
}

/** The price of a send. */
export interface Price {
  /** The `id` of the operation, as given; absent if there was none. */
  readonly id?: Id
  /** The maximum that it can cost: what would be held at acceptance. */
  readonly price: number
  /** ISO 4217. */
  readonly currency: string
  readonly steps: readonly PricedStep[]
}

export interface PricedStep {
  readonly channel: Channel
  readonly parts: number
  /** Charged if this step carries the message. */
  readonly price: number
}

/** The status of a message. */
export interface MessageStatus {
  /** The `id` of its send; absent if it had none. */
  readonly id?: Id
  readonly msg_id: number
  /** Null once the recipient was erased, and if only the user id is known. */
  readonly phone: number | null
  readonly user_id?: UserId
  /** The type of the send, call or verification. */
  readonly type: SendType | 'call/otp' | 'verify/start'
  readonly status: Status
  /** Of the current step, or of the last one. */
  readonly channel: Channel | VerifyChannel
  /** Of that step. */
  readonly parts: number
  /** Charged so far. */
  readonly price: number
  /** ISO 4217. */
  readonly currency: string
  /** Why it was not delivered, if known; null otherwise. */
  readonly error: string | null
  readonly steps: readonly { readonly channel: Channel | VerifyChannel; readonly status: Status; readonly at: string }[]
  /** The state of its reports, as long as they are kept. */
  readonly reports: MessageReports
  /** The newest replies of the recipient, the oldest first; absent if there are none. */
  readonly replies?: readonly MessageReply[]
  /** The requested send time, RFC 3339; absent if there was none. */
  readonly send_at?: string
  /** RFC 3339. */
  readonly accepted_at: string
  /** Sent with a test key; absent otherwise. */
  readonly test?: true
}

/** What a recipient replied to a message. */
export interface MessageReply {
  readonly inbound_id: number
  /** RFC 3339. */
  readonly datetime: string
  readonly message: string
  /** Address of a file; absent without one. */
  readonly media?: string
}

export interface MessageReports {
  readonly sent: number
  /** Not delivered yet, and retried. */
  readonly pending: number
  /** Given up. */
  readonly failed: number
  /** The last try, RFC 3339; null before the first. */
  readonly tried_at: string | null
  /** Why the last try of an undelivered report failed; null otherwise. */
  readonly error: string | null
}

/** A cancelled message. */
export interface Cancelled {
  /** The `id` of its send; absent if it had none. */
  readonly id?: Id
  readonly msg_id: number
  readonly status: 'CANCELLED'
}

/** A verification that has begun. */
export interface VerificationStarted {
  /** The `id` of the operation, as given; absent if there was none. */
  readonly id?: Id
  /** Names the verification in `verify/check`; it is a `msg_id` too. */
  readonly verify_id: number
  /** The channel that is tried first. */
  readonly channel: VerifyChannel
  /** Of the code that this channel carries. */
  readonly digits: number
  /** No code is accepted from then on, RFC 3339. */
  readonly expires_at: string
  /** The maximum that it can cost: what is held. */
  readonly price: number
  /** With a test key: the code in the texts, which no phone gets. */
  readonly code?: string
}

/** The code of a verification that is sent again. */
export interface CodeResend {
  /** The `id` of the operation, as given; absent if there was none. */
  readonly id?: Id
  readonly verify_id: number
  /** The message that brings the code: a new one, or the verification itself, whose next channel follows. */
  readonly msg_id: number
  /** The channel that is tried first. */
  readonly channel: VerifyChannel
  /** No code is accepted from then on, RFC 3339. */
  readonly expires_at: string
  /** The maximum that the new message can cost; 0 without one. */
  readonly price: number
}

export type CheckStatus = 'approved' | 'wrong' | 'used' | 'expired' | 'too_many' | 'failed' | 'cancelled'

/** The result of checking a code. */
export interface CodeCheck {
  /** The `id` of the operation, as given; absent if there was none. */
  readonly id?: Id
  readonly verify_id: number
  /** Only `approved` proves that the recipient has the phone. */
  readonly status: CheckStatus
  /** Wrong codes that end the verification; 0 after its end. */
  readonly attempts_left: number
}

export type NumberStatus = 'reachable' | 'absent' | 'unknown' | 'invalid'

/** What is known about a number. */
export interface NumberInfo {
  /** The `id` of the operation, as given; absent if there was none. */
  readonly id?: Id
  readonly phone: number
  /** ISO 3166-1 alpha-2 code. */
  readonly country: string | null
  /** MCC and MNC of the operator. */
  readonly mccmnc: string | null
  /** Name of the operator. */
  readonly operator: string | null
  /** Whether the number has left its first operator. */
  readonly ported: boolean | null
  /** `absent`: switched off or out of coverage. `invalid`: not assigned. */
  readonly status: NumberStatus
  /** Identifies the SIM card; digits that the gateway hides are `*`. Absent if unknown. */
  readonly imsi?: string
  /** A prefix table knows neither ported numbers nor the state of a phone. It costs nothing. */
  readonly source: 'service' | 'prefix table'
  /** Whether a service gave the answer to an earlier question. */
  readonly cached: boolean
  /** What is charged. */
  readonly price: number
  /** ISO 4217. */
  readonly currency: string
  /** When the service answered, RFC 3339. */
  readonly at: string
  /** With a test key: a simulated number. Absent otherwise. */
  readonly test?: true
}

/** An operator in the result of `hlr`. */
export interface HlrNetwork {
  readonly name: string | null
  /** The first digits of its numbers behind the country code. */
  readonly prefix: number | null
  readonly country: { readonly name: string | null; readonly prefix: number }
}

/** The result of `hlr`: what `lookup` knows, in the form of other services. */
export interface HlrResult {
  /** The `id` of the operation, as given; absent if there was none. */
  readonly id?: Id
  readonly phone: number
  readonly status: 'DELIVERED' | 'UNDELIVERABLE' | 'INVALID DESTINATION ADDRESS' | 'UNKNOWN'
  /** Null as well if the operator of the gateway hides it. */
  readonly imsi: number | null
  readonly mccmnc: number | null
  readonly ported: boolean | null
  /** `ported` is null unless the number was ported. */
  readonly network: { readonly origin: HlrNetwork; readonly ported: HlrNetwork | null }
}

/** A hook of the account. */
export interface Hook {
  readonly hook_id: number
  readonly hook: string
  /** Types of reports that it gets; null for all. */
  readonly events: readonly ReportType[] | null
  readonly description: string | null
  /** It answered 410 and gets no reports until it is updated. */
  readonly stopped: boolean
  /** Until when the secret before the newest signs as well, RFC 3339; null if it does not. */
  readonly old_secret_until: string | null
  /** RFC 3339. */
  readonly created_at: string
}

/** A hook that was created. */
export interface CreatedHook {
  readonly hook_id: number
  /** Signs its reports (`ReportVerifier`). It is shown only here. */
  readonly secret: string
}

/** A hook with a new secret. */
export interface RotatedHook extends CreatedHook {
  /** Until when the old secret signs as well, RFC 3339. */
  readonly old_secret_until: string
}

export interface DeletedHook {
  readonly hook_id: number
}

/** A hook to which a test report is posted. */
export interface TestedHook {
  readonly hook_id: number
  /** The `webhook-id` of the report. */
  readonly webhook_id: string
}

/** Failed reports that are sent again. */
export interface ReplayedReports {
  /** At most 1,000. */
  readonly reports: number
  /** Whether there may be more: ask again. */
  readonly more: boolean
}

/** Events: reports that the gateway keeps for reading. */
export interface EventPage {
  /** The oldest first. */
  readonly events: readonly FeedEvent[]
  /** The `after` of the next page. */
  readonly next: string
  /** Whether there are more events already. */
  readonly more: boolean
  /** Events before `next` that were not read in time and are no longer kept. */
  readonly missed: number
}

/** A report as it would be posted; `readReport` distinguishes its types. */
export interface FeedEvent {
  /** The same in every answer, and the `webhook-id` that the report would have. */
  readonly event_id: string
  /** An `after` that acknowledges the events up to this one. */
  readonly cursor: string
  readonly type: string
  /** RFC 3339. */
  readonly timestamp: string
}

/** The result of each operation, by its type. */
export type OperationData = { readonly [T in SendType]: SendResult } & {
  readonly 'call/otp': CallResult
  readonly 'template/create': Template
  readonly 'template/list': readonly Template[]
  readonly 'template/delete': Template
  readonly 'template/chatapp/list': readonly ChatTemplate[]
  readonly 'template/viber/list': readonly ChatTemplate[]
  readonly balance: Balance
  readonly price: Price
  readonly status: MessageStatus
  readonly statistics: readonly StatisticsLine[]
  readonly 'posting/list': Postings
  readonly 'statement/get': Statement
  readonly cancel: Cancelled
  readonly 'verify/start': VerificationStarted
  readonly 'verify/check': CodeCheck
  readonly 'verify/resend': CodeResend
  readonly 'event/list': EventPage
  readonly 'inbound/list': readonly InboundMessage[]
  readonly 'hook/create': CreatedHook
  readonly 'hook/list': readonly Hook[]
  readonly 'hook/update': Hook
  readonly 'hook/rotate': RotatedHook
  readonly 'hook/delete': DeletedHook
  readonly 'hook/test': TestedHook
  readonly 'hook/replay': ReplayedReports
  readonly lookup: NumberInfo
  readonly hlr: HlrResult
  readonly 'bulk/create': Bulk
  readonly 'bulk/start': Bulk
  readonly 'bulk/pause': Bulk
  readonly 'bulk/stop': Bulk
  readonly 'bulk/status': Bulk
  readonly 'bulk/errors': readonly BulkError[]
  readonly 'bulk/list': readonly Bulk[]
}

/** The outcome of one operation of a batch. A failure is a value: the other operations are not affected. */
export type Result<T extends OperationType = OperationType> =
  | {
      readonly success: true
      readonly data: OperationData[T]
      /** Fields of the operation that were ignored, as `name: ignored`; absent if there were none. */
      readonly warnings?: readonly string[]
    }
  | { readonly success: false; readonly error: ItemError }

/** One result for each operation, in the same order. */
export type Results<T extends readonly OperationType[]> = { readonly [K in keyof T]: Result<T[K]> }
