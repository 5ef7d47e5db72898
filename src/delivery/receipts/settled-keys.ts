/**
 * Keys of inbound messages whose acknowledgement the carrier has read. They are written one batch at a time, until the
 * store takes them: while a key is not settled, an equal message of the same sender counts as a repeat and is dropped.
 */
import type { InboundArrival, InboundKey, SettledKey } from '../../ports/carriers/carrier.ts'
import type { DeliveryStore } from '../../ports/stores/delivery-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'

const RETRY_MS = 1_000
const MAX_BATCH = 1_000
/** Keys that wait; above it the oldest are dropped, and expire by themselves within a day. */
const MAX_WAITING = 50_000

export interface SettledKeysTools {
  readonly store: Pick<DeliveryStore, 'recordInbound' | 'keptInboundKeys'>
  readonly clock: Clock
  readonly log: Log
}

export class SettledKeys {
  readonly #tools: SettledKeysTools
  /** Oldest first. */
  readonly #waiting = new Map<string, SettledKey>()
  #writing = false

  constructor(tools: SettledKeysTools) {
    this.#tools = tools
  }

  add(keys: readonly SettledKey[]): void {
    for (const key of keys) this.#waiting.set(nameOf(key), key)
    for (const name of this.#waiting.keys().take(Math.max(0, this.#waiting.size - MAX_WAITING))) {
      this.#waiting.delete(name)
    }
    if (!this.#writing) void this.#write()
  }

  /** Returns those of the arrivals, to be written together with them. */
  of(arrivals: readonly InboundArrival[]): readonly SettledKey[] {
    return this.#waiting.size === 0 ? [] : arrivals.flatMap((arrival) => this.#waiting.get(nameOf(arrival)) ?? [])
  }

  /** Returns the arrivals that repeat neither what the store has nor each other. */
  async withoutRepeats(arrivals: readonly InboundArrival[]): Promise<readonly InboundArrival[]> {
    if (arrivals.length === 0) return []
    const kept = await this.#tools.store.keptInboundKeys(arrivals)
    const until = new Map(kept.map((key) => [nameOf(key), key.keepUntil]))
    for (const key of this.of(arrivals)) until.set(nameOf(key), Math.min(key.at, until.get(nameOf(key)) ?? key.at))
    return arrivals.filter((arrival) => {
      const isRepeat = (until.get(nameOf(arrival)) ?? Number.NEGATIVE_INFINITY) > arrival.at
      if (!isRepeat) until.set(nameOf(arrival), arrival.keyUntil)
      return !isRepeat
    })
  }

  /** Notes that the store has these. */
  written(keys: readonly SettledKey[]): void {
    for (const key of keys) if (this.#waiting.get(nameOf(key)) === key) this.#waiting.delete(nameOf(key))
  }

  async #write(): Promise<void> {
    this.#writing = true
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting.values().take(MAX_BATCH)]
      try {
        await this.#tools.store.recordInbound([], batch)
        this.written(batch)
      } catch (error) {
        const fields = { error: error as Error, count: this.#waiting.size }
        this.#tools.log.warn(fields, 'could not record which arrivals are settled; retrying')
        await new Promise<void>((resolve) => this.#tools.clock.after(RETRY_MS, resolve))
      }
    }
    this.#writing = false
  }
}

function nameOf({ carrierId, key }: InboundKey): string {
  return `${carrierId} ${key}`
}
