/**
 * How fast submits may leave: evenly spaced up to a limit, never in bursts, and slower for a while when the carrier says
 * that it is too fast. A carrier that goes on saying so is tried at least every few seconds; one that stops saying so is
 * back at full speed after some twenty seconds. Counts in monotonic time: a wall clock that is set changes no pace.
 */
import type { Clock } from '../../ports/clock.ts'

/** What a late timer may catch up on. */
const CATCH_UP_MS = 20
/** After a complaint nothing leaves for so long: carriers count by the second. */
const PAUSE_MS = 1_000
const LEAST_RATE = 0.5
/** Of the speed before the complaint, regained each second. */
const REGAINED = 0.05
/** A carrier without a limit of its own is believed to bear so much more than it complained about, then anything. */
const FORGIVEN = 2

export class Pace {
  readonly #clock: Clock
  readonly #limit: number | null
  /** Submits a second now; null is no limit. */
  #rate: number | null
  /** The speed at which the carrier complained. */
  #complainedAt = 0
  #slowedAt = Number.NEGATIVE_INFINITY
  #grownAt = 0
  #nextAt = Number.NEGATIVE_INFINITY
  #count = 0
  #countedFrom: number
  #measured = 0

  /** @param limit submits a second; 0 for none at all, null for no limit. */
  constructor(clock: Clock, limit: number | null) {
    this.#clock = clock
    this.#limit = limit
    this.#rate = limit
    this.#countedFrom = clock.monotonic()
  }

  /** Milliseconds until the next submit may leave. */
  get waitMs(): number {
    if (this.#limit === 0) return Number.POSITIVE_INFINITY
    return Math.max(0, this.#nextAt - this.#clock.monotonic())
  }

  /** Whether the carrier has complained and is not trusted with full speed again. */
  get isSlowed(): boolean {
    return this.#rate !== this.#limit
  }

  /** A submit leaves now. `waited`: it stood in line for its turn, and a late turn is made up for. */
  spend(waited: boolean): void {
    const now = this.#clock.monotonic()
    this.#measure(now)
    this.#grow(now)
    if (this.#rate === null) return
    this.#nextAt = Math.max(this.#nextAt, waited ? now - CATCH_UP_MS : now) + 1_000 / this.#rate
  }

  /** The carrier complained about a submit that left at `sentAt`. False where an earlier complaint counts for it too. */
  slowDown(sentAt: number): boolean {
    if (sentAt <= this.#slowedAt) return false
    const now = this.#clock.monotonic()
    this.#grow(now)
    if (!this.isSlowed) this.#complainedAt = this.#limit ?? Math.max(this.#measured, this.#count)
    this.#rate = Math.max(LEAST_RATE, (this.#rate ?? this.#complainedAt) / 2)
    this.#slowedAt = now
    this.#grownAt = now
    this.#nextAt = now + Math.max(PAUSE_MS, 1_000 / this.#rate)
    return true
  }

  #grow(now: number): void {
    if (this.#rate === null || !this.isSlowed) return
    const regained = (Math.max(this.#complainedAt, LEAST_RATE) * REGAINED * Math.max(0, now - this.#grownAt)) / 1_000
    this.#grownAt = now
    this.#rate += regained
    if (this.#rate >= (this.#limit ?? this.#complainedAt * FORGIVEN)) this.#rate = this.#limit
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
