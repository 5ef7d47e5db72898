/**
 * Bounds the receipts with unknown ids that the store keeps for each carrier: a place is taken for each, comes back if
 * its message is found, and otherwise as the store forgets what it kept.
 */
import { PARKED_FOR_MS } from '../../ports/stores/delivery-store.ts'
import type { Clock } from '../../ports/system/clock.ts'

/** Places of each carrier on this node. As many come back within PARKED_FOR_MS. */
export const MAX_PARKED = 100_000

interface Places {
  free: number
  /** When `free` was counted, by the monotonic clock. */
  countedAt: number
}

export class ParkingLimit {
  readonly #clock: Clock
  readonly #max: number
  readonly #places = new Map<string, Places>()

  constructor(clock: Clock, max: number = MAX_PARKED) {
    this.#clock = clock
    this.#max = max
  }

  /** Takes a place for one receipt of the carrier; returns false if none is free. */
  take(carrierId: string): boolean {
    const places = this.#count(carrierId)
    if (places.free < 1) return false
    places.free -= 1
    return true
  }

  giveBack(carrierId: string): void {
    const places = this.#count(carrierId)
    places.free = Math.min(this.#max, places.free + 1)
  }

  #count(carrierId: string): Places {
    const now = this.#clock.monotonic()
    const places = this.#places.get(carrierId) ?? { free: this.#max, countedAt: now }
    places.free = Math.min(this.#max, places.free + ((now - places.countedAt) * this.#max) / PARKED_FOR_MS)
    places.countedAt = now
    this.#places.set(carrierId, places)
    return places
  }
}
