/**
 * How long calls on one connection wait while the database is unavailable. A call waits no longer than its own
 * patience, whatever other calls achieve. Once an outage has lasted longer, every call is tried once and then rejects,
 * until one succeeds.
 */
import type { Clock } from '../../../ports/system/clock.ts'

const PAUSE_MS = 200
/** A further try gets at least this much time. */
const MIN_TRY_MS = 1_000

export class Outage {
  readonly #clock: Clock
  readonly #patienceMs: number
  /** When the first failed call since the last success began. */
  #since: number | null = null

  constructor(clock: Clock, patienceMs: number) {
    this.#clock = clock
    this.#patienceMs = patienceMs
  }

  /** For a call that begins now. */
  begin(): Patience {
    return new Patience(this, this.#clock, this.#clock.monotonic())
  }

  over(): void {
    this.#since = null
  }

  /** Returns when a failed call that began then is no longer retried. */
  deadlineOf(begunAt: number): number {
    this.#since ??= begunAt
    return Math.min(this.#since, begunAt) + this.#patienceMs
  }
}

export class Patience {
  readonly #outage: Outage
  readonly #clock: Clock
  readonly #begunAt: number
  #deadline: number | null = null

  constructor(outage: Outage, clock: Clock, begunAt: number) {
    this.#outage = outage
    this.#clock = clock
    this.#begunAt = begunAt
  }

  /** Milliseconds for the next try; the first may take this long. */
  limitOf(firstTryMs: number): number {
    if (this.#deadline === null) return firstTryMs
    return Math.max(MIN_TRY_MS, Math.min(firstTryMs, this.#deadline - this.#clock.monotonic()))
  }

  /** Called after a failed try. Resolves to true, after a pause, if there is time for another one. */
  async wait(): Promise<boolean> {
    this.#deadline ??= this.#outage.deadlineOf(this.#begunAt)
    if (this.#clock.monotonic() + PAUSE_MS >= this.#deadline) return false
    await new Promise<void>((resolve) => this.#clock.after(PAUSE_MS, resolve))
    return true
  }
}
