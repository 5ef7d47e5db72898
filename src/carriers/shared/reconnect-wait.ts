/**
 * The waits before reconnecting to a lost peer: doubled each time, and reset once a connection has lasted a while or
 * carried traffic. The wait also grows for a peer that accepts every connection and closes it at once. An operator may
 * end a wait.
 */
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import type { Random } from '../../ports/system/random.ts'

const FIRST_WAIT_MS = 1_000
/** A connection that lasted this long resets the wait. */
const PROVEN_MS = 5_000

export class ReconnectWait {
  readonly #tools: { readonly clock: Clock; readonly random: Random }
  readonly #maxMs: number
  #waitMs = FIRST_WAIT_MS
  /** Monotonic; null while there is no connection. */
  #upSince: number | null = null
  #planned: { readonly at: number; readonly run: () => void; readonly cancel: Cancel } | null = null

  /** @param maxMs the longest wait. */
  constructor(tools: { readonly clock: Clock; readonly random: Random }, maxMs: number) {
    this.#tools = tools
    this.#maxMs = maxMs
  }

  /** Milliseconds since 1970: when the planned attempt begins; null while none is planned. */
  get nextAt(): number | null {
    return this.#planned?.at ?? null
  }

  /** Plans the next attempt, in place of one that is planned. Returns a function that cancels it. */
  plan(waitMs: number, run: () => void): Cancel {
    this.#planned?.cancel()
    const { clock } = this.#tools
    const start = () => {
      this.#planned = null
      run()
    }
    const planned = { at: clock.now() + waitMs, run: start, cancel: clock.after(waitMs, start) }
    this.#planned = planned
    return () => {
      planned.cancel()
      if (this.#planned === planned) this.#planned = null
    }
  }

  /** Makes the planned attempt now. */
  hurry(): void {
    const { cancel, run } = this.#planned ?? {}
    cancel?.()
    run?.()
  }

  /** Records that a connection is open. */
  connected(): void {
    this.#upSince ??= this.#tools.clock.monotonic()
  }

  /** Records that the connection carried traffic, however short it was. */
  proven(): void {
    this.#waitMs = FIRST_WAIT_MS
  }

  /**
   * Records that the connection, or the attempt to open one, has ended. Returns the milliseconds to wait before the
   * next attempt.
   */
  lost(): number {
    const { clock, random } = this.#tools
    const lastedMs = this.#upSince === null ? 0 : clock.monotonic() - this.#upSince
    if (lastedMs >= PROVEN_MS) this.#waitMs = FIRST_WAIT_MS
    this.#upSince = null
    const full = this.#waitMs
    this.#waitMs = Math.min(this.#maxMs, full * 2)
    return full - random.below(full / 2)
  }
}
