/** A clock that stands still until a test turns it. */
import type { Cancel, Clock } from '../../src/ports/system/clock.ts'

interface Timer {
  readonly at: number
  readonly run: () => void
}

export class VirtualClock implements Clock {
  #now: number
  #setBackMs = 0
  readonly #timers = new Set<Timer>()

  constructor(startAt = Date.UTC(2026, 0, 1)) {
    this.#now = startAt
  }

  now(): number {
    return this.#now - this.#setBackMs
  }

  monotonic(): number {
    return this.#now
  }

  after(milliseconds: number, run: () => void): Cancel {
    const timer = { at: this.#now + Math.max(0, milliseconds), run }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** Sets what `now` returns back; timers and `monotonic` go on as before, as those of a machine do. */
  setBack(milliseconds: number): void {
    this.#setBackMs += milliseconds
  }

  /** When the next timer rings, milliseconds; null when none is set. */
  nextAt(): number | null {
    let next: number | null = null
    for (const timer of this.#timers) next = next === null ? timer.at : Math.min(next, timer.at)
    return next
  }

  /** Turns to `at` and rings, in order, every timer up to it, those that are set on the way included. */
  turnTo(at: number): void {
    for (;;) {
      let first: Timer | null = null
      for (const timer of this.#timers) if (timer.at <= at && (first === null || timer.at < first.at)) first = timer
      if (first === null) break
      this.#timers.delete(first)
      this.#now = Math.max(this.#now, first.at)
      first.run()
    }
    this.#now = Math.max(this.#now, at)
  }

  advance(milliseconds: number): void {
    this.turnTo(this.#now + milliseconds)
  }
}
