/**
 * How a client acknowledges what it gets on one connection. One that has acknowledged nothing yet gets a few at a time,
 * and one that stays silent gets nothing while another connection of its login answers: so it holds few of the reports
 * of its login.
 */
import type { Clock } from '../../ports/system/clock.ts'

/** Half of the first calls of a hook at a time, and half of the most (hook-queue.ts). */
const UNPROVEN_AT_A_TIME = 4
const AT_A_TIME = 32
/** Without any answer for so long, a connection is silent. */
const SILENT_AFTER_MS = 2_000
/** Time until a connection that did not answer in time is tried again. */
const TRY_AGAIN_MS = 60_000

/** In the order of preference. */
export const READINESS = { silent: 0, busy: 1, ready: 2 } as const

export class Acknowledgements {
  readonly #clock: Clock
  #waiting = 0
  #isProven = false
  /** Monotonic: the last answer, or the first of the deliveries that wait. */
  #answeredAt = 0
  #tryAgainAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get readiness(): number {
    const now = this.#clock.monotonic()
    const isSilent = this.#waiting > 0 && now - this.#answeredAt >= SILENT_AFTER_MS
    if (isSilent || now < this.#tryAgainAt) return READINESS.silent
    return this.#waiting < (this.#isProven ? AT_A_TIME : UNPROVEN_AT_A_TIME) ? READINESS.ready : READINESS.busy
  }

  sent(): void {
    if (this.#waiting === 0) this.#answeredAt = this.#clock.monotonic()
    this.#waiting += 1
  }

  answered(): void {
    this.#waiting -= 1
    this.prove()
  }

  /** There was no answer in time. */
  missed(): void {
    this.#waiting -= 1
    this.#isProven = false
    this.#tryAgainAt = this.#clock.monotonic() + TRY_AGAIN_MS
  }

  /** An answer came, perhaps too late. */
  prove(): void {
    this.#answeredAt = this.#clock.monotonic()
    this.#isProven = true
    this.#tryAgainAt = Number.NEGATIVE_INFINITY
  }
}
