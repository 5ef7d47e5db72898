/**
 * Closes connections whose request stalls: each must make progress in every period and be complete within a limit. One
 * timer serves all, and runs only while requests arrive.
 */
import type { Cancel, Clock } from '../../ports/system/clock.ts'

const CHECK_MS = 5_000
/** Period in which an arriving request must gain `MIN_BYTES`. */
const STALLED_MS = 10_000
const MIN_BYTES = 1_024
/** Limit for a complete request. */
const ARRIVAL_MS = 60_000

export interface Arrival {
  progress(bytes: number): void
  /** The request has arrived or ended; may be called repeatedly. */
  end(): void
}

export class ArrivalWatch {
  readonly #clock: Clock
  readonly #arriving = new Set<Arriving>()
  #timer: Cancel | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A request begins to arrive on the socket. */
  begin(socket: { destroy(): unknown }): Arrival {
    const now = this.#clock.monotonic()
    const arriving = new Arriving(socket, now, (over) => this.#arriving.delete(over))
    this.#arriving.add(arriving)
    this.#timer ??= this.#clock.after(CHECK_MS, () => this.#check())
    return arriving
  }

  #check(): void {
    const now = this.#clock.monotonic()
    for (const arriving of this.#arriving) if (arriving.isLate(now)) arriving.cut()
    this.#timer = this.#arriving.size === 0 ? null : this.#clock.after(CHECK_MS, () => this.#check())
  }
}

class Arriving implements Arrival {
  readonly #socket: { destroy(): unknown }
  readonly #since: number
  readonly #onEnd: (self: Arriving) => void
  #periodSince: number
  #gained = 0

  constructor(socket: { destroy(): unknown }, now: number, onEnd: (self: Arriving) => void) {
    this.#socket = socket
    this.#since = now
    this.#periodSince = now
    this.#onEnd = onEnd
  }

  progress(bytes: number): void {
    this.#gained += bytes
  }

  end(): void {
    this.#onEnd(this)
  }

  isLate(now: number): boolean {
    if (now - this.#since >= ARRIVAL_MS) return true
    if (now - this.#periodSince < STALLED_MS) return false
    if (this.#gained < MIN_BYTES) return true
    this.#periodSince = now
    this.#gained = 0
    return false
  }

  cut(): void {
    this.end()
    this.#socket.destroy()
  }
}
