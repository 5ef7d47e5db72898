/**
 * Requests this node's connection slots every second, of the carriers that limit an installation's connections or
 * messages a second. A gateway without a cluster has all of them.
 */
import type { CarrierSetup, InstalledCarrier } from '../../domain/directory/directory.ts'
import type { Cluster } from '../../ports/records/cluster.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'

/** Splits the limits of a carrier into slots. */
export interface SharedLimits {
  /** The number of slots; null if nothing is limited. */
  readonly slotsOf: (setup: CarrierSetup) => number | null
  /** The setup with the part of its limits that belongs to these slots. */
  readonly partOf: (setup: CarrierSetup, held: readonly number[]) => CarrierSetup
}

export interface ConnectionSlotsTools {
  /** Null if one gateway has the store for itself. */
  readonly cluster: Cluster | null
  readonly limits: SharedLimits
  readonly clock: Clock
  readonly log: Log
  readonly installed: () => readonly InstalledCarrier[]
  /** The slots that connections of this node use, closing ones included. */
  readonly inUse: (carrierId: string) => readonly number[]
  /** Called when the slots of this node have changed. */
  readonly onChange: () => void
}

export interface PlacedCarrier {
  readonly carrier: InstalledCarrier
  /** Null if nothing is limited. */
  readonly slots: readonly number[] | null
}

const REQUEST_EVERY_MS = 1_000

export class ConnectionSlots {
  readonly #tools: ConnectionSlotsTools
  #held: ReadonlyMap<string, readonly number[]> = new Map()
  #timer: Cancel | null = null
  #requesting: Promise<void> = Promise.resolve()
  #stopped = false
  #isFailing = false

  constructor(tools: ConnectionSlotsTools) {
    this.#tools = tools
  }

  start(): void {
    if (this.#tools.cluster !== null) this.#requestNow(this.#tools.cluster)
  }

  /** Returns the carriers with this node's part of their limits; a limited carrier without a slot here is unchanged. */
  place(installed: readonly InstalledCarrier[]): readonly PlacedCarrier[] {
    const { cluster, limits } = this.#tools
    return installed.map((carrier) => {
      if (cluster === null || limits.slotsOf(carrier) === null) return { carrier, slots: null }
      const slots = this.#held.get(carrier.id) ?? []
      const part = slots.length === 0 ? carrier : limits.partOf(carrier, slots)
      return { carrier: { ...part, draining: carrier.draining }, slots }
    })
  }

  /** Requests no more. The node returns its slots when it leaves the cluster. */
  stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.()
    return this.#requesting
  }

  #requestNow(cluster: Cluster): void {
    this.#requesting = this.#request(cluster)
      .then(
        () => {
          this.#isFailing = false
        },
        (error: Error) => {
          // One line for each outage.
          if (!this.#isFailing)
            this.#tools.log.warn({ error }, 'could not request connection slots of carriers; retrying')
          this.#isFailing = true
        },
      )
      .finally(() => {
        if (!this.#stopped) this.#timer = this.#tools.clock.after(REQUEST_EVERY_MS, () => this.#requestNow(cluster))
      })
  }

  async #request(cluster: Cluster): Promise<void> {
    const { limits, installed, inUse, onChange } = this.#tools
    const requests = installed().flatMap((setup) => {
      const slots = limits.slotsOf(setup)
      return slots === null ? [] : [{ carrierId: setup.id, slots, inUse: inUse(setup.id) }]
    })
    if (requests.length === 0 && this.#held.size === 0) return
    const answers = await cluster.takeSlots(requests)
    const held = new Map(requests.map(({ carrierId }, index) => [carrierId, answers[index] ?? []]))
    const changed = JSON.stringify([...held]) !== JSON.stringify([...this.#held])
    this.#held = held
    if (changed && !this.#stopped) onChange()
  }
}
