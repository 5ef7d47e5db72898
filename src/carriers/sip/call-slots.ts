/** The limit of concurrent calls. Further calls wait in a queue of bounded length, for a bounded time. */
import type { Clock } from '../../ports/clock.ts'

export class CallSlots {
  readonly #clock: Clock
  readonly #most: number
  #taken = 0
  /** First in, first out. */
  readonly #line = new Set<(got: boolean) => void>()

  constructor(most: number, clock: Clock) {
    this.#most = most
    this.#clock = clock
  }

  /** Returns false if no slot became free within `waitMs`, or the queue is as long as there are slots. */
  take(waitMs: number): Promise<boolean> {
    if (this.#taken < this.#most) {
      this.#taken += 1
      return Promise.resolve(true)
    }
    if (this.#line.size >= this.#most) return Promise.resolve(false)
    return new Promise((resolve) => {
      const served = (got: boolean) => {
        this.#line.delete(served)
        stopWaiting()
        resolve(got)
      }
      const stopWaiting = this.#clock.after(waitMs, () => served(false))
      this.#line.add(served)
    })
  }

  release(): void {
    const [next] = this.#line
    if (next === undefined) this.#taken -= 1
    else next(true)
  }

  /** Refuses all calls in the queue. */
  clear(): void {
    for (const served of this.#line) served(false)
  }
}
