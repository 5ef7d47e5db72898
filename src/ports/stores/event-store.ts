/** The store's part in the event feeds of accounts (domain/reports/event-feed.ts). */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { FeedQuery, FeedRead } from '../../domain/reports/event-feed.ts'

export interface EventStore {
  /** Returns durable events of the account in the order of their positions. Reads a range of an index. */
  readEvents(query: FeedQuery): Promise<FeedRead>
  /** Settles the events up to a position, at most MAX_EVENTS in one call. Repeating it changes nothing. */
  acknowledgeEvents(acknowledgement: Acknowledgement): Promise<void>
}

export interface Acknowledgement {
  readonly accountId: AccountId
  /** A position; what lies beyond the last event is ignored. */
  readonly through: number
  /** Milliseconds. */
  readonly at: number
}
