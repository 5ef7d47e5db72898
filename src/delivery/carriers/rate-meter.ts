/** Measures a rate per second over the last ten seconds, in bounded memory. */
import type { Clock } from '../../ports/system/clock.ts'

const SECONDS = 10

export class RateMeter {
  readonly #clock: Clock
  /** The current second and the ten before it, at their number modulo the length. */
  readonly #slots = Array.from({ length: SECONDS + 1 }, () => ({ second: 0, count: 0 }))

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(count: number): void {
    const second = Math.floor(this.#clock.monotonic() / 1_000)
    const slot = this.#slots[second % this.#slots.length]
    if (slot === undefined) return
    slot.count = slot.second === second ? slot.count + count : count
    slot.second = second
  }

  /** Too low during the first ten seconds of a meter. */
  get perSecond(): number {
    const now = this.#clock.monotonic() / 1_000
    const second = Math.floor(now)
    const recent = this.#slots.filter((slot) => slot.second <= second && slot.second >= second - SECONDS)
    return recent.reduce((sum, { count }) => sum + count, 0) / (SECONDS + now - second)
  }
}
