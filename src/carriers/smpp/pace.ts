/**
 * The rate of submits: evenly spaced up to a limit, at most one ahead of its time, and reduced for a while when the
 * carrier throttles. A carrier that keeps throttling still gets a submit every few seconds; one that stops throttling
 * is back at full rate after about twenty seconds. Uses monotonic time: changes of the wall clock have no effect.
 */
import type { Clock } from '../../ports/system/clock.ts'

/** Lateness of a timer that may be caught up. */
const CATCH_UP_MS = 20
/** Pause after a throttled submit: carriers count by the second. */
const PAUSE_MS = 1_000
const MIN_RATE = 0.5
/** The most that a submit may be sent before its time because it goes ahead: carriers count by the second. */
const AHEAD_MS = 50
/** Share of the rate before throttling that is regained each second. */
const REGAINED_PER_SECOND = 0.05
/** Without a configured limit, the limit is lifted once the rate is this many times the throttled rate. */
const UNLIMITED_FACTOR = 2

export class Pace {
  readonly #clock: Clock
  readonly #limit: number | null
  /** Submits a second now; null for no limit. */
  #rate: number | null
  /** The rate when the carrier began to throttle. */
  #throttledRate = 0
  #slowedAt = Number.NEGATIVE_INFINITY
  #increasedAt = 0
  #nextAt = Number.NEGATIVE_INFINITY
  #count = 0
  #countedFrom: number
  #measured = 0

  /** @param limit submits a second; 0 for none, null for no limit. */
  constructor(clock: Clock, limit: number | null) {
    this.#clock = clock
    this.#limit = limit
    this.#rate = limit
    this.#countedFrom = clock.monotonic()
  }

  /** Milliseconds until the next submit may be sent. */
  get waitMs(): number {
    return this.#waitMs(0)
  }

  /**
   * The same for a submit that goes ahead of others: it takes their next place early, unless another has just done so.
   * Theirs come one place later then, and the rate stays the same.
   */
  get waitAheadMs(): number {
    return this.#waitMs(this.isSlowed ? 0 : Math.min(1_000 / (this.#rate ?? 1), AHEAD_MS))
  }

  #waitMs(earlyMs: number): number {
    if (this.#limit === 0) return Number.POSITIVE_INFINITY
    if (this.#rate === null) return 0
    return Math.max(0, this.#nextAt - earlyMs - this.#clock.monotonic())
  }

  /** Whether the rate is reduced. */
  get isSlowed(): boolean {
    return this.#rate !== this.#limit
  }

  /** Counts a submit that is sent now. `wasQueued`: it was queued, so the lateness of its timer is caught up. */
  spend(wasQueued: boolean): void {
    const now = this.#clock.monotonic()
    this.#measure(now)
    this.#increase(now)
    if (this.#rate === null) return
    this.#nextAt = Math.max(this.#nextAt, wasQueued ? now - CATCH_UP_MS : now) + 1_000 / this.#rate
  }

  /**
   * Halves the rate, because the carrier throttled a submit sent at `sentAt`. Returns false if an earlier reduction
   * already covers it.
   */
  slowDown(sentAt: number): boolean {
    if (sentAt <= this.#slowedAt) return false
    const now = this.#clock.monotonic()
    this.#increase(now)
    if (!this.isSlowed) this.#throttledRate = this.#limit ?? Math.max(this.#measured, this.#count)
    this.#rate = Math.max(MIN_RATE, (this.#rate ?? this.#throttledRate) / 2)
    this.#slowedAt = now
    this.#increasedAt = now
    this.#nextAt = now + Math.max(PAUSE_MS, 1_000 / this.#rate)
    return true
  }

  #increase(now: number): void {
    if (this.#rate === null || !this.isSlowed) return
    const gain =
      (Math.max(this.#throttledRate, MIN_RATE) * REGAINED_PER_SECOND * Math.max(0, now - this.#increasedAt)) / 1_000
    this.#increasedAt = now
    this.#rate += gain
    if (this.#rate >= (this.#limit ?? this.#throttledRate * UNLIMITED_FACTOR)) this.#rate = this.#limit
  }

  #measure(now: number): void {
    const elapsedMs = now - this.#countedFrom
    if (elapsedMs >= 1_000) {
      this.#measured = (this.#count * 1_000) / elapsedMs
      this.#count = 0
      this.#countedFrom = now
    }
    this.#count += 1
  }
}
