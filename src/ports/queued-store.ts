/** The store's part in messages that no carrier has: they are counted, and found to be cancelled. */
import type { AccountId } from '../domain/account.ts'
import type { BulkId } from '../domain/bulk.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { Micros } from '../domain/money.ts'

export interface QueuedStore {
  /** Looks at a bounded number of open messages of all accounts, in the order of their ids. */
  queuedOf(query: QueuedQuery): Promise<QueuedPage>
}

export interface QueuedQuery {
  readonly accountId: AccountId
  /** Only messages with a larger id. */
  readonly after: number
}

export interface QueuedPage {
  readonly queued: readonly QueuedMessage[]
  /** The `after` of the next page; null if there is none. */
  readonly next: number | null
}

/** A message that no carrier has or may have. */
export interface QueuedMessage {
  readonly id: MessageId
  readonly heldMicros: Micros
  /** Null if it is of none. */
  readonly bulk: BulkId | null
}

/** Only for the audit log: an operator changed a message that waits, or discarded those of an account. */
export interface QueueNote {
  readonly kind: 'note queue'
  readonly accountId: AccountId
  readonly action: 'send now' | 'cancel' | 'discard'
  /** Null for those of the account. */
  readonly messageId: MessageId | null
  readonly messages: number
  readonly releasedMicros: Micros
}

/** Open messages that one page looks at. */
export const QUEUED_LOOKS = 1_000
