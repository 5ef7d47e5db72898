/** The store's part in taking client requests: idempotency, accepted messages and calls, SMS templates. */
import type { UsageGuard, UsageLimit, UsageWindow } from '../../domain/guards/guards.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { CallContent, Message } from '../../domain/message/message.ts'
import type { Charge } from '../../domain/money/ledger.ts'
import type { Micros } from '../../domain/money/money.ts'
import type { SmsTemplate } from '../../domain/text/template.ts'
import type { KeyUse } from '../changes/account-change.ts'
import type { MessageName } from '../records/message-name.ts'
import type { ShortLink } from '../records/short-link.ts'
import type { TemplateItem } from '../records/template-items.ts'

export interface IntakeStore {
  /** Executes one client request, whole or not at all. */
  accept(request: AcceptRequest): Promise<AcceptOutcome>
  /** Returns what `accept` would return without executing anything; null if it would execute the request. */
  recall(accountId: AccountId, request: RequestKey, now: number): Promise<RecalledRequest | null>
  /**
   * Returns the named messages of the account in the order asked, without the content of their steps; null if there is
   * none. Of several messages with the same client id it returns the newest.
   */
  findMessages(accountId: AccountId, names: readonly MessageName[]): Promise<readonly (Message | null)[]>
  /**
   * Reserves `count` message counters (domain/ids/message-id.ts) and returns the first. A counter is never reserved
   * twice.
   */
  reserveIds(count: number): Promise<number>
  /** Records when keys were last used. Ignores keys that no longer exist. Leaves the directory revision unchanged. */
  noteKeyUses(uses: readonly KeyUse[]): Promise<void>
}

/** How long calls are remembered, milliseconds: the earliest allowed `codesSince` and `limit.since`. */
export const CALLS_KEPT_MS = 86_400_000

export interface AcceptRequest {
  readonly accountId: AccountId
  readonly now: number
  /** Null when the client sent no key. */
  readonly idempotency: Idempotency | null
  /** The usage limits that items count towards; absent if there are none. */
  readonly limits?: readonly UsageLimit[]
  /** In the order of the request. An item that fails leaves the others untouched. */
  readonly items: readonly AcceptItem[]
}

export interface RequestKey {
  /** As the client chose it. */
  readonly key: string
  /** SHA-256 of the body: the same key with another body is a conflict. */
  readonly bodyHash: string
  /** Absent: the answer is not counted, and kept whatever the account keeps. */
  readonly room?: AnswerRoom
}

/** The bytes that an account may keep under its idempotency keys. */
export interface AnswerRoom {
  readonly window: UsageWindow
  /** A new key is refused once the answers take so many bytes; null to count the answer without a limit. */
  readonly maxBytes: number | null
}

export interface Idempotency extends RequestKey {
  /** What the caller needs besides the outcomes to write the answer again; stored and returned unchanged. */
  readonly draft: string
  /** Milliseconds: until when the key is remembered. */
  readonly keepUntil: number
}

export type AcceptItem =
  /**
   * Holds the money and stores the message with its short links, held by this node or (`waits`) queued for any node.
   */
  | {
      readonly kind: 'message'
      readonly message: Message
      readonly waits: boolean
      readonly links: readonly ShortLink[]
      /** Account setting: a repeated clientId sends nothing. */
      readonly uniqueId: boolean
      readonly counts?: Counts
    }
  /** The same for a call. The calling number is the first candidate whose code the phone was not given recently. */
  | {
      readonly kind: 'call'
      /** One of its steps is a call; the store puts the chosen candidate in as content of that step. */
      readonly message: Message
      readonly waits: boolean
      readonly candidates: readonly CallContent[]
      /** Milliseconds: codes given to this phone after this are not given again. */
      readonly codesSince: number
      /** At most `max` calls to the phone by this account after `since`. */
      readonly limit: { readonly max: number; readonly since: number }
      readonly counts?: Counts
    }
  | TemplateItem
  | { readonly kind: 'balance' }
  | LookupItem

/** Charges a lookup that has been answered; it fails if the account cannot pay. */
export interface LookupItem {
  readonly kind: 'lookup'
  /** Above 0. */
  readonly priceMicros: Micros
  readonly charge: Charge
  /** Limits of money that it counts towards; it is not counted as a message. */
  readonly counts?: Counts
}

/**
 * Indexes into the request's `limits` that the item counts towards if accepted; it fails if one of them is exhausted.
 */
type Counts = readonly number[]

export type ItemOutcome =
  | { readonly kind: 'accepted'; readonly messageId: MessageId; readonly call: CallContent | null }
  /** Unique ids: this message was accepted before under the same clientId. `parts` are those of its plan. */
  | { readonly kind: 'repeated'; readonly messageId: MessageId; readonly parts: number }
  | { readonly kind: 'charged' }
  | { readonly kind: 'unpaid' }
  /** A limit was reached, by the number of messages or by the money held for them. */
  | { readonly kind: 'limited'; readonly guard: UsageGuard; readonly of: 'messages' | 'money' }
  | { readonly kind: 'too many calls' }
  | { readonly kind: 'no number free' }
  | { readonly kind: 'template created' }
  | { readonly kind: 'name taken' }
  /** The account has its maximum number of templates. */
  | { readonly kind: 'too many templates' }
  | { readonly kind: 'templates'; readonly templates: readonly SmsTemplate[] }
  | { readonly kind: 'template removed'; readonly template: SmsTemplate }
  | { readonly kind: 'no such template' }
  | { readonly kind: 'balance'; readonly availableMicros: Micros }

export type AcceptOutcome = { readonly kind: 'executed'; readonly outcomes: readonly ItemOutcome[] } | RecalledRequest

export type RecalledRequest =
  | { readonly kind: 'replayed'; readonly draft: string; readonly outcomes: readonly ItemOutcome[] }
  /** The idempotency key was used with another body. */
  | { readonly kind: 'conflict' }
  /** The key is new, and the account keeps as many bytes of answers as it may. */
  | { readonly kind: 'no room' }
