/**
 * The event feed of an account: reports that the client reads with `event/list` instead of getting them posted. Each
 * has a position, 1, 2, 3 … without gaps, assigned by the transaction that writes it. The transactions of one account
 * assign positions one after the other, so no event ever appears before one that can be read already.
 */
import type { AccountId } from '../ids/account-id.ts'
import { type Report, reportId } from './report.ts'

/** The address of a report that is kept for reading. */
export const EVENT_FEED = 'feed:'

/** Returns whether reports to this address are read by the client instead of being posted. */
export function isFeed(address: string | null): boolean {
  return address === EVENT_FEED
}

/** Of one page, unless the client asks for another number. */
export const DEFAULT_EVENTS = 100
/** Maximum of events in one page, and of those that one call acknowledges. */
export const MAX_EVENTS = 1_000

export interface FeedEvent extends Pick<Report, 'messageId' | 'number' | 'body'> {
  readonly position: number
}

export interface FeedQuery {
  readonly accountId: AccountId
  /** Null: after what was acknowledged. */
  readonly after: number | null
  readonly limit: number
  /** Of the bodies as stored; at least one event is returned. */
  readonly maxBytes: number
}

/** The stored state of a feed. */
export interface FeedState {
  /** Position of the last event; 0 if there never was one. */
  readonly last: number
  /** The client has processed the events up to this position. */
  readonly acknowledged: number
}

export const EMPTY_FEED: FeedState = { last: 0, acknowledged: 0 }

export interface FeedRead extends FeedState {
  readonly events: readonly FeedEvent[]
  /** No event followed the last of these when `last` was read. */
  readonly isAll: boolean
}

export interface FeedPage {
  /** The position to continue after. */
  readonly next: number
  readonly more: boolean
  /** Events between `after` and `next` that are no longer kept. */
  readonly missed: number
}

/** `after` is at most `last`. */
export function feedPageOf({ events, isAll, last }: FeedRead, after: number): FeedPage {
  const read = events.at(-1)?.position ?? after
  const next = isAll ? Math.max(read, last) : read
  return { next, more: next < last, missed: next - after - events.length }
}

/** Returns the JSON array for the client: the bodies, each with its id and its position in front. */
export function writeEvents(events: readonly FeedEvent[]): string {
  const items = events.map((event) => {
    return `{"event_id":"${reportId(event)}","cursor":"${event.position}",${event.body.slice(1)}`
  })
  return `[${items.join(',')}]`
}

/** Returns the position up to which one call acknowledges; the calls after it do the rest. */
export function acknowledgedBy({ last, acknowledged }: FeedState, through: number): number {
  return Math.max(acknowledged, Math.min(through, last, acknowledged + MAX_EVENTS))
}
