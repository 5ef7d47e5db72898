/** The calls that may be up at one time. Who comes when all are taken waits in line, for a bounded time and in bounded number. */
import type { Clock } from '../../ports/clock.ts'

export class CallSlots {
  readonly #clock: Clock
  readonly #most: number
  #taken = 0
  /** First come, first served. */
  readonly #line = new Set<(got: boolean) => void>()

  constructor(most: number, clock: Clock) {
    this.#most = most
    this.#clock = clock
  }

  /** False when none came free within `waitMs`, or the line is as long as there are slots. */
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

  /** Sends away everybody in line. */
  clear(): void {
    for (const served of this.#line) served(false)
  }
}
