/**
 * Counts the bytes of large bodies that were read and refused, by client address: a wrong signature is found only after
 * the whole body was hashed. An address with too many has its large bodies refused unread until the minute ends; small
 * ones, which cost little, are still read.
 */
import type { Clock } from '../../ports/system/clock.ts'

/** Larger bodies count. Also the largest that is read of an address with too many. */
export const SMALL_BODY_BYTES = 64 * 1024
/** Of one address in a minute. */
const MAX_REFUSED_BYTES = 8 * 1024 * 1024
const MINUTE_MS = 60_000
/** Further ones of the minute are not counted. */
const MAX_ADDRESSES = 10_000

export class RefusedBytes {
  readonly #clock: Clock
  readonly #byAddress = new Map<string, number>()
  #minute = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  isOver(address: string): boolean {
    this.#beginMinute()
    return (this.#byAddress.get(address) ?? 0) >= MAX_REFUSED_BYTES
  }

  add(address: string, bytes: number): void {
    if (bytes <= SMALL_BODY_BYTES) return
    this.#beginMinute()
    const known = this.#byAddress.get(address)
    if (known === undefined && this.#byAddress.size >= MAX_ADDRESSES) return
    this.#byAddress.set(address, (known ?? 0) + bytes)
  }

  #beginMinute(): void {
    const minute = Math.floor(this.#clock.monotonic() / MINUTE_MS)
    if (minute === this.#minute) return
    this.#minute = minute
    this.#byAddress.clear()
  }
}
