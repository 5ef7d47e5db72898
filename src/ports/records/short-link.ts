/** The store's part in short links: their addresses and clicks. */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { BulkId, MessageId } from '../../domain/ids/message-id.ts'

export interface LinkStore {
  findLinks(codes: readonly string[]): Promise<readonly ShortLink[]>
  /**
   * Adds to the counts of the links and to the statistics of messages. Returns the codes now clicked by a human and not
   * yet reported by a recorded turn.
   */
  countClicks(clicks: readonly ClickCount[]): Promise<readonly string[]>
}

export interface ShortLink {
  readonly code: string
  readonly messageId: MessageId
  readonly url: string
  readonly expiresAt: number
}

/** Clicks on a link in one hour. */
export interface ClickCount {
  readonly code: string
  readonly humans: number
  readonly robots: number
  /** The time of the first, milliseconds. */
  readonly at: number
}

/** Clicks of a day on links of an account to one target (stores/rows/statistics/link-target.ts). */
export interface LinkTotal {
  readonly accountId: AccountId
  /** Since 1970, UTC. */
  readonly day: number
  /** 0 for messages of no bulk. */
  readonly bulkId: number
  /** Stands for the address; empty for all addresses beyond MAX_DAILY_TARGETS. */
  readonly target: string
  readonly address: string
  readonly humans: number
  readonly robots: number
  /** Links that a human clicked for the first time. */
  readonly links: number
  /** Times of the first and last click, milliseconds. */
  readonly firstAt: number
  readonly lastAt: number
}

export interface LinkTotalQuery {
  /** Null for all. */
  readonly accountId: AccountId | null
  readonly bulkId: BulkId | null
  /** Days since 1970, both included. */
  readonly from: number
  readonly through: number
  /** The last of those that were returned before; null at the beginning. */
  readonly after: Pick<LinkTotal, 'accountId' | 'day' | 'bulkId' | 'target'> | null
  readonly limit: number
}

/** Totals of an account and day; further targets are summed up in one. */
export const MAX_DAILY_TARGETS = 1_000
