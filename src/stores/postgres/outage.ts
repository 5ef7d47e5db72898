/**
 * How long calls on one connection wait while the database cannot do them. A call waits no longer than its own patience,
 * whatever other calls achieve. Once an outage has lasted for longer, every call is tried once and then rejects, until one
 * succeeds.
 */
import type { Clock } from '../../ports/clock.ts'

const PAUSE_MS = 200
/** A further try has at least this much time. */
const MIN_TRY_MS = 1_000

export class Outage {
  readonly #clock: Clock
  readonly #patienceMs: number
  /** When the first call began that has failed since the last one succeeded. */
  #since: number | null = null

  constructor(clock: Clock, patienceMs: number) {
    this.#clock = clock
    this.#patienceMs = patienceMs
  }

  /** Of a call that begins now. */
  begin(): Patience {
    return new Patience(this, this.#clock, this.#clock.monotonic())
  }

  over(): void {
    this.#since = null
  }

  /** When a call that began then, and has failed, is no longer tried. */
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

  /** Milliseconds for the next try, of which the first may take this long. */
  limitOf(firstTryMs: number): number {
    if (this.#deadline === null) return firstTryMs
    return Math.max(MIN_TRY_MS, Math.min(firstTryMs, this.#deadline - this.#clock.monotonic()))
  }

  /** A try has failed. Resolves to true, after a pause, when there is time for another one. */
  async wait(): Promise<boolean> {
    this.#deadline ??= this.#outage.deadlineOf(this.#begunAt)
    if (this.#clock.monotonic() + PAUSE_MS >= this.#deadline) return false
    await new Promise<void>((resolve) => this.#clock.after(PAUSE_MS, resolve))
    return true
  }
}
