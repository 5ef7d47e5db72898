/**
 * The waits before a lost peer is tried again: doubled each time, and short again once a connection has lasted a while. A
 * peer that accepts every connection and closes it at once is tried ever more slowly too.
 */
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'

const FIRST_WAIT_MS = 1_000
/** A connection that lasted for so long has proven the peer: the next wait is short again. */
const PROVEN_MS = 5_000

export class ReconnectWait {
  readonly #tools: { readonly clock: Clock; readonly random: Random }
  readonly #longestMs: number
  #waitMs = FIRST_WAIT_MS
  /** Monotonic; null while there is no connection. */
  #upSince: number | null = null

  /** @param longestMs the longest wait. */
  constructor(tools: { readonly clock: Clock; readonly random: Random }, longestMs: number) {
    this.#tools = tools
    this.#longestMs = longestMs
  }

  /** A connection is there. */
  connected(): void {
    this.#upSince ??= this.#tools.clock.monotonic()
  }

  /** The connection, or the try to make one, is over. Returns how long to wait before the next, milliseconds. */
  lost(): number {
    const { clock, random } = this.#tools
    const lastedMs = this.#upSince === null ? 0 : clock.monotonic() - this.#upSince
    if (lastedMs >= PROVEN_MS) this.#waitMs = FIRST_WAIT_MS
    this.#upSince = null
    const full = this.#waitMs
    this.#waitMs = Math.min(this.#longestMs, full * 2)
    return full - random.below(full / 2)
  }
}
