/**
 * A turn: everything that one event changes, made by `advance` in journey.ts and written to the store in one
 * transaction.
 */
import type { BulkMove } from '../bulk/bulk.ts'
import type { Message } from '../message/message.ts'
import type { Posting } from '../money/ledger.ts'
import type { Report } from '../reports/report.ts'
import type { CallCount } from '../statistics/call-statistics.ts'
import type { MessageCount } from '../statistics/message-statistics.ts'

export interface Turn {
  /** The message afterwards; its journey's version is one higher than before. */
  readonly message: Message
  /**
   * One entry, or one per filtered step; none if a receipt repeats what was noted often enough, or if a cancelled
   * message is cancelled again.
   */
  readonly timeline: readonly TimelineEntry[]
  readonly postings: readonly Posting[]
  readonly reports: readonly Report[]
  /** Of a call: additions to the statistics. */
  readonly calls: readonly CallCount[]
  /** Additions to the statistics of messages. */
  readonly counts: readonly MessageCount[]
  /** What changes in the totals of the message's bulk; absent if nothing does. */
  readonly bulkMove?: BulkMove
  /** Carriers' ids under which receipts will arrive. */
  readonly refs: readonly PartRef[]
  /** Revocations to send to carriers once the turn is on disk. */
  readonly revokes: readonly RevokeOrder[]
}

export interface TimelineEntry {
  readonly at: number
  readonly kind: TimelineKind
  readonly step: number
  readonly carrierId: string | null
  readonly detail: string
}

/** `late` marks events after the message had moved on, and repetitions: recorded, without other effects. */
export type TimelineKind =
  | 'taken'
  | 'refused'
  | 'unclear'
  | 'unreachable'
  | 'slow'
  | 'no route'
  | 'filtered'
  | 'postponed'
  | 'resumed'
  | 'cancelled'
  | 'approved'
  | 'wrong code'
  | 'resent'
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
  | 'opted out'
  | 'opted in'

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
