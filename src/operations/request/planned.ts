/** An operation that is read, checked, routed and priced, but not yet written. */
import type { Account } from '../../domain/accounts/account.ts'
import type { KeyInUse } from '../../domain/accounts/api-key.ts'
import type { Directory } from '../../domain/directory/directory.ts'
import type { RequestUsage } from '../../domain/guards/guards.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { BulkId, MessageId } from '../../domain/ids/message-id.ts'
import type { AccountInbound } from '../../domain/inbound/inbound-message.ts'
import type { Message } from '../../domain/message/message.ts'
import type { Micros } from '../../domain/money/money.ts'
import type { Lookup, NumberAnswer, NumberLookup, NumberQuestion } from '../../ports/carriers/lookup.ts'
import type { CodeCheck, CodeResend } from '../../ports/hooks/outbox.ts'
import type { MessageName } from '../../ports/records/message-name.ts'
import type { AcceptItem } from '../../ports/stores/intake-store.ts'
import type { ResultDraft } from './answer.ts'
import type { OperationTools } from './operation-tools.ts'
import type { CheckIds, ListBudget } from './shared-in-request.ts'

/** Context that the operations of one request share. */
export interface Scope {
  readonly tools: OperationTools
  readonly account: Account
  /** Key of the request; a test key changes nothing of the account. */
  readonly key: KeyInUse
  readonly directory: Directory
  readonly lookup: Lookup
  readonly numbers: NumberLookup
  /** The client's name of the chat app in this operation. */
  readonly chatappName: string
  /** Milliseconds: the time of the request. */
  readonly now: number
  /** Milliseconds: until when the answer may wait for a call to ring; null if it may not wait. */
  readonly waitUntil: number | null
  readonly newId: (account: AccountId) => MessageId
  /** The bulk whose line is sent; null for operations of a request. */
  readonly bulk: BulkId | null
  /** The `traceparent` for the messages of the request; null if it belongs to no trace. */
  readonly trace: string | null
  /** Where and how messages are reported in place of what the operation says; null for that. */
  readonly reporting: Reporting | null
  /** The carrier that the message tests, as an operator asks; null for every request of a client. */
  readonly testedCarrier: string | null
  /** Whether its messages carry one-time codes of the client: limits and quiet hours are those of verifications. */
  readonly sendsCodes: boolean
  /** Names the checks of codes: the same when the request is repeated under its key. */
  readonly checkIds: Pick<CheckIds, 'next'>
  /** Usage counters of messages; null for a test key and the test of a carrier, which have no limits. */
  readonly usage: RequestUsage | null
  /** Counts each list before it is built. */
  readonly lists: Pick<ListBudget, 'count'>
}

/** Test messages reach simulated phones, and tests of carriers phones of the operator: accounts do not pay for them. */
export function isFree({ key, testedCarrier }: Scope): boolean {
  return key.test || testedCarrier !== null
}

/** Returns the scope in which an operator tests the carrier: it uses none of the account's limits. */
export function testOf(carrierId: string, scope: Scope): Scope {
  return { ...scope, testedCarrier: carrierId, usage: null }
}

export interface Reporting {
  /** Address of the reports; null for that of the operation. */
  readonly to: string | null
  /** Whether each step is reported, and not only the end. */
  readonly steps: boolean
}

/** An operation that is answered before the others of its request are executed. */
export type Inquiry = MessageInquiry | DirectInquiry | LookupInquiry | ReplyInquiry | ResendInquiry

/** A send that answers an inbound message: planned once that is read. */
export interface ReplyInquiry {
  readonly repliesTo: MessageId
  /** `inbound` is null if the account has no such message. */
  readonly conclude: (inbound: AccountInbound | null) => Planned
  /** Ignored fields of the operation; absent if none. */
  readonly warnings?: readonly string[]
}

/** Sends the code of a verification again: planned once that is read, and its next channel was tried. */
export interface ResendInquiry extends CodeResend {
  /** `message` is as the next channel left it; null if the account has no such verification. */
  readonly conclude: (message: Message | null) => Planned
  /** Ignored fields of the operation; absent if none. */
  readonly warnings?: readonly string[]
}

/** About a number: asked before the request is written, and charged with it. */
export interface LookupInquiry {
  readonly question: NumberQuestion
  /** What it costs, unless the answer names an operator with another price. */
  readonly priceMicros: Micros
  /** The client's `id` of the operation as a JSON token; null without one. */
  readonly id: string | null
  readonly conclude: (answer: NumberAnswer) => Planned
  /** Ignored fields of the operation; absent if none. */
  readonly warnings?: readonly string[]
}

/** About the events, reports and inbound messages of the account. */
export interface DirectInquiry {
  /** Returns the result; what it changes is durable by then. */
  readonly answer: () => Promise<string>
  /** Ignored fields of the operation, and what may be a mistake in others; absent if none. */
  readonly warnings?: readonly string[]
}

/** About an earlier message: reads it, unless it says otherwise. */
export interface MessageInquiry {
  readonly about: MessageName
  /** Cancels the message. */
  readonly cancels?: true
  /** Checks this code of the verification. */
  readonly check?: Pick<CodeCheck, 'code' | 'checkId'>
  /** The client's `id` of the operation as a JSON token; null without one. */
  readonly id: string | null
  /** Ignored fields of the operation; absent if none. */
  readonly warnings?: readonly string[]
}

export interface Planned {
  readonly draft: ResultDraft
  /** What the store has to do; null if the draft is already the result. */
  readonly item: AcceptItem | null
}

export function isInquiry(each: Planned | Inquiry): each is Inquiry {
  return !('draft' in each)
}

export function isLookup(each: Planned | Inquiry): each is LookupInquiry {
  return 'question' in each
}

export function isReply(each: Planned | Inquiry): each is ReplyInquiry {
  return 'repliesTo' in each
}

export function isResend(each: Planned | Inquiry): each is ResendInquiry {
  return 'resendId' in each
}
