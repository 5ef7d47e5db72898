/**
 * Knows when the peer has read what was written to it, as far as that can be known. It has if it answers a request that
 * was sent later. A peer that never answers enquire_link counts as having read it if it sends anything, or closes the
 * connection in order, two seconds later: within that time a response arrives or the connection is broken.
 */
import type { Clock } from '../../ports/system/clock.ts'

const ARRIVES_WITHIN_MS = 2_000

interface Waiter {
  readonly read: () => void
  /** Monotonic milliseconds: when it was written. */
  readonly at: number
}

export class ReadProof {
  readonly #clock: Clock
  readonly #enquire: (answered: (isAnswered: boolean) => void) => void
  /** Oldest first. */
  #waiting: Waiter[] = []
  #isAsking = false
  #isEnded = false

  /** @param enquire sends an enquire_link; must call back once, also if it fails. */
  constructor(clock: Clock, enquire: (answered: (isAnswered: boolean) => void) => void) {
    this.#clock = clock
    this.#enquire = enquire
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Calls `read` at most once, when the peer has read everything written so far. */
  add(read: () => void): void {
    if (this.#isEnded) return
    this.#waiting.push({ read, at: this.#clock.monotonic() })
    this.#ask()
  }

  /** The peer sent something, or closed the connection in order. */
  arrived(): void {
    const written = this.#clock.monotonic() - ARRIVES_WITHIN_MS
    let count = 0
    while ((this.#waiting[count]?.at ?? Number.POSITIVE_INFINITY) <= written) count += 1
    this.#serve(count)
  }

  /** Nothing can be written any more; what was written may still be read. */
  end(): void {
    this.#isEnded = true
  }

  /** The peer has read everything written so far. */
  readAll(): void {
    this.#serve(this.#waiting.length)
  }

  /** Asks one question at a time: later callers wait for the next one. */
  #ask(): void {
    const last = this.#waiting.at(-1)
    if (this.#isAsking || this.#isEnded || last === undefined) return
    this.#isAsking = true
    this.#enquire((isAnswered) => {
      this.#isAsking = false
      if (isAnswered) this.#serve(this.#waiting.indexOf(last) + 1)
      this.#ask()
    })
  }

  #serve(count: number): void {
    if (count === 0) return
    const served = this.#waiting.splice(0, count)
    for (const { read } of served) read()
  }
}
