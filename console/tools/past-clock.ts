/** The clock of the machine, some hours ago: it can be moved forward, never back, and ends at the present. */
import { systemClock } from '../../src/app/system/system-clock.ts'
import type { Clock } from '../../src/ports/system/clock.ts'

export class PastClock implements Clock {
  #behindMs: number

  constructor(behindMs: number) {
    this.#behindMs = behindMs
  }

  now(): number {
    return systemClock.now() - this.#behindMs
  }

  monotonic(): number {
    return systemClock.monotonic()
  }

  after(milliseconds: number, run: () => void): () => void {
    return systemClock.after(milliseconds, run)
  }

  /** Timers go on as they were: connections see no leap. */
  leap(milliseconds: number): void {
    this.#behindMs = Math.max(0, this.#behindMs - milliseconds)
  }

  get isPresent(): boolean {
    return this.#behindMs === 0
  }
}
