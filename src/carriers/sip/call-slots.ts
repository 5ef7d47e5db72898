/** The limit of concurrent calls. Further calls wait in a queue of bounded length, for a bounded time. */
import type { Clock } from '../../ports/system/clock.ts'

export class CallSlots {
  readonly #clock: Clock
  readonly #max: number
  #taken = 0
  /** First in, first out. */
  readonly #queue = new Set<(got: boolean) => void>()

  constructor(max: number, clock: Clock) {
    this.#max = max
    this.#clock = clock
  }

  /** Returns false if no slot became free within `waitMs`, or the queue is as long as there are slots. */
  take(waitMs: number): Promise<boolean> {
    if (this.#taken < this.#max) {
      this.#taken += 1
      return Promise.resolve(true)
    }
    if (this.#queue.size >= this.#max) return Promise.resolve(false)
    return new Promise((resolve) => {
      const settle = (got: boolean) => {
        this.#queue.delete(settle)
        stopWaiting()
        resolve(got)
      }
      const stopWaiting = this.#clock.after(waitMs, () => settle(false))
      this.#queue.add(settle)
    })
  }

  release(): void {
    const [next] = this.#queue
    if (next === undefined) this.#taken -= 1
    else next(true)
  }

  /** Refuses all calls in the queue. */
  clear(): void {
    for (const settle of this.#queue) settle(false)
  }
}
