/**
 * How long calls wait while the database cannot do them. Shared by all lines of a store: what one of them meets is met by
 * all. Once an outage has lasted for longer, every call is tried once and then rejects, until one succeeds.
 */
import type { Clock } from '../../ports/clock.ts'

const PAUSE_MS = 200

export class Outage {
  readonly #clock: Clock
  readonly #patienceMs: number
  #since: number | null = null

  constructor(clock: Clock, patienceMs: number) {
    this.#clock = clock
    this.#patienceMs = patienceMs
  }

  /** It was met now. Resolves after a pause: true when it is to be tried again. */
  async wait(): Promise<boolean> {
    if (this.#patienceMs === 0) return false
    this.#since ??= this.#clock.now()
    await new Promise<void>((resolve) => this.#clock.after(PAUSE_MS, resolve))
    // A clock that was set back must not make anybody wait for longer.
    const lasted = this.#clock.now() - (this.#since ?? this.#clock.now())
    if (lasted < 0) this.#since = this.#clock.now()
    return lasted < this.#patienceMs
  }

  over(): void {
    this.#since = null
  }
}
