/** A turn: all that one event changes, made by `advance` in journey.ts and written to the store in one transaction. */
import type { CallCount } from './call-statistics.ts'
import type { Posting } from './ledger.ts'
import type { Message } from './message.ts'
import type { Report } from './report.ts'

export interface Turn {
  /** The message after it; its journey's version is one more than before. */
  readonly message: Message
  /** One entry, or one for each step that was filtered; none when a receipt says what was noted often enough, or a cancellation what is so already. */
  readonly timeline: readonly TimelineEntry[]
  readonly postings: readonly Posting[]
  readonly reports: readonly Report[]
  /** Of a call: what is added to the statistics. */
  readonly calls: readonly CallCount[]
  /** Carriers' ids that receipts will come under. */
  readonly refs: readonly PartRef[]
  /** What is to be asked of carriers once the turn is on disk. */
  readonly revokes: readonly RevokeOrder[]
}

export interface TimelineEntry {
  readonly at: number
  readonly kind: TimelineKind
  readonly step: number
  readonly carrierId: string | null
  readonly detail: string
}

/** `late` marks news that came after the message had moved on or said the same before: recorded, and nothing else. */
export type TimelineKind =
  | 'taken'
  | 'refused'
  | 'unclear'
  | 'unreachable'
  | 'slow'
  | 'no route'
  | 'filtered'
  | 'postponed'
  | 'cancelled'
  | 'accepted'
  | 'delivered'
  | 'read'
  | 'failed'
  | 'answered'
  | 'unanswered'
  | 'expired'
  | 'late'
  | 'revoked'
  | 'clicked'

export interface PartRef {
  readonly carrierId: string
  readonly ref: string
  readonly step: number
  readonly part: number
}

export interface RevokeOrder {
  readonly step: number
  readonly carrierId: string
  readonly refs: readonly string[]
}
