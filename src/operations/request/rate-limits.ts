/**
 * Limits the request rate of each account, or of whatever else a key names. A bucket holds one second's operations; a
 * request passes while the bucket has one and then takes its full count, so a batch of any size passes and delays the
 * next request.
 */
import type { AccountId } from '../../domain/ids/account-id.ts'

interface Bucket {
  operations: number
  at: number
}

/** Less than this part of one operation is a rounding error. */
const TOLERANCE = 1e-6
/** Of one limit; the oldest is forgotten for a further one. */
const MAX_BUCKETS = 100_000

export class RateLimits<Key = AccountId> {
  readonly #buckets = new Map<Key, Bucket>()

  /** Takes `count` operations; returns false, taking nothing, if it must wait. */
  take(key: Key, perSecond: number | null, count: number, now: number): boolean {
    if (perSecond === null) {
      this.#buckets.delete(key)
      return true
    }
    const most = perSecond > 0 ? Math.max(1, perSecond) : 0
    const bucket = this.#buckets.get(key) ?? { operations: most, at: now }
    const passedMs = Math.max(0, now - bucket.at)
    const operations = Math.min(most, bucket.operations + (passedMs / 1000) * perSecond)
    const passes = operations >= 1 - TOLERANCE
    if (this.#buckets.size >= MAX_BUCKETS) this.#forgetOldest(key)
    this.#buckets.set(key, { operations: passes ? operations - count : operations, at: now })
    return passes
  }

  #forgetOldest(key: Key): void {
    const [oldest] = this.#buckets.keys()
    if (!this.#buckets.has(key) && oldest !== undefined) this.#buckets.delete(oldest)
  }
}

/** The rates of all requests, whichever API they arrive by. */
export class RequestRates {
  /** Operations of accounts. */
  readonly accounts = new RateLimits()
  /** Operations of keys, by hash. */
  readonly keys = new RateLimits<string>()
  /** Operations with test keys. */
  readonly tests = new RateLimits()
  /** Operations of logins, by name. */
  readonly logins = new RateLimits<string>()
}
