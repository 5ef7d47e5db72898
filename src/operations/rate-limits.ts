/**
 * How fast each account may ask. A bucket holds one second's operations; a request passes while there is one in it and
 * is then taken off whole, so that a batch of any size passes and is waited for afterwards.
 */
import type { AccountId } from '../domain/account.ts'

interface Bucket {
  operations: number
  at: number
}

/** Below this much of one operation, the rest is an error of arithmetic. */
const TOLERANCE = 1e-6

export class RateLimits {
  readonly #buckets = new Map<AccountId, Bucket>()

  /** Takes `count` operations off; false, and nothing is taken, when the account has to wait. */
  take(account: AccountId, perSecond: number | null, count: number, now: number): boolean {
    if (perSecond === null) {
      this.#buckets.delete(account)
      return true
    }
    const most = perSecond > 0 ? Math.max(1, perSecond) : 0
    const bucket = this.#buckets.get(account) ?? { operations: most, at: now }
    const passedMs = Math.max(0, now - bucket.at)
    const operations = Math.min(most, bucket.operations + (passedMs / 1000) * perSecond)
    const passes = operations >= 1 - TOLERANCE
    this.#buckets.set(account, { operations: passes ? operations - count : operations, at: now })
    return passes
  }
}
