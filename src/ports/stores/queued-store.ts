/** The store's part in open messages: those that no carrier has, and those of which a carrier sent no receipt. */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { BulkId, MessageId } from '../../domain/ids/message-id.ts'
import type { Settlement } from '../../domain/message/journey-event.ts'
import type { Micros } from '../../domain/money/money.ts'

export interface QueuedStore {
  /** Looks at a bounded number of open messages, in the order of their buckets and ids. */
  openMessages(query: OpenQuery): Promise<OpenPage>
}

export interface OpenQuery {
  /** Null for all accounts. */
  readonly accountId: AccountId | null
  /** 0 to begin, then `next` of the page before. */
  readonly after: number
  /** `queued`: no carrier has or may have them. */
  readonly which: 'queued' | Unsettled
}

/** Messages that a carrier took in this time, milliseconds, and of which it sent no final receipt. */
export interface Unsettled {
  /** Null for all carriers. */
  readonly carrierId: string | null
  readonly from: number
  /** Exclusive. */
  readonly until: number
}

export interface OpenPage {
  readonly messages: readonly OpenMessage[]
  /** The `after` of the next page; null if there is none. */
  readonly next: number | null
}

export interface OpenMessage {
  readonly id: MessageId
  readonly accountId: AccountId
  readonly heldMicros: Micros
  readonly chargedMicros: Micros
  /** Null if it is of none. */
  readonly bulk: BulkId | null
  /** Of its step. */
  readonly carrierId: string | null
  /** Milliseconds: since when its step has its status. */
  readonly since: number
  /** Milliseconds: the end of the lifetime of its step. */
  readonly deadlineAt: number
}

/** Only for the audit log: an operator decided about one open message, or about those of an account. */
export interface QueueNote {
  readonly kind: 'note queue'
  readonly accountId: AccountId
  readonly action: 'send now' | 'cancel' | 'discard' | Settlement
  /** Null for those of the account. */
  readonly messageId: MessageId | null
  readonly messages: number
  readonly releasedMicros: Micros
  /** Of those that waited for one carrier only. */
  readonly carrierId?: string
}

/** Open messages that one page looks at. */
export const OPEN_LOOKS = 1_000
