/**
 * Which seats this node has of the carriers that allow an installation only so many connections or messages a second.
 * Asked again and again, for nodes come and go. One gateway alone has all of them.
 */
import type { CarrierSetup, InstalledCarrier } from '../domain/directory.ts'
import type { Cancel, Clock } from '../ports/clock.ts'
import type { Cluster } from '../ports/cluster.ts'
import type { Log } from '../ports/log.ts'

/** How the limits of a carrier are shared out. */
export interface SharedLimits {
  /** Null where nothing is limited. */
  readonly seatsOf: (setup: CarrierSetup) => number | null
  /** The setup with the part of its limits that belongs to these seats. */
  readonly partOf: (setup: CarrierSetup, held: readonly number[]) => CarrierSetup
}

export interface SeatsTools {
  /** Null where one gateway has the store for itself. */
  readonly cluster: Cluster | null
  readonly limits: SharedLimits
  readonly clock: Clock
  readonly log: Log
  /** Those that are set up now. */
  readonly installed: () => readonly InstalledCarrier[]
  /** The seats that connections of this node still take, those that are being closed included. */
  readonly inUse: (carrierId: string) => readonly number[]
  /** The seats are not those of before. */
  readonly onChange: () => void
}

export interface SeatedCarrier {
  readonly carrier: InstalledCarrier
  /** Null where nothing is limited. */
  readonly seats: readonly number[] | null
}

const ASK_EVERY_MS = 1_000

export class Seats {
  readonly #tools: SeatsTools
  #held: ReadonlyMap<string, readonly number[]> = new Map()
  #timer: Cancel | null = null
  #asking: Promise<void> = Promise.resolve()
  #stopped = false
  #isFailing = false

  constructor(tools: SeatsTools) {
    this.#tools = tools
  }

  start(): void {
    if (this.#tools.cluster !== null) this.#askNow(this.#tools.cluster)
  }

  /** The carriers as this node is to run them: limited ones with its part, and those without any seat here as they are. */
  place(installed: readonly InstalledCarrier[]): readonly SeatedCarrier[] {
    const { cluster, limits } = this.#tools
    return installed.map((carrier) => {
      if (cluster === null || limits.seatsOf(carrier) === null) return { carrier, seats: null }
      const seats = this.#held.get(carrier.id) ?? []
      const part = seats.length === 0 ? carrier : limits.partOf(carrier, seats)
      return { carrier: { ...part, draining: carrier.draining }, seats }
    })
  }

  /** Asks no more; what is held goes back when the node leaves. */
  stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.()
    return this.#asking
  }

  #askNow(cluster: Cluster): void {
    this.#asking = this.#ask(cluster)
      .then(
        () => {
          this.#isFailing = false
        },
        (error: Error) => {
          // Once for each outage: it is asked for every second.
          if (!this.#isFailing)
            this.#tools.log.warn({ error }, 'the seats of carriers cannot be asked for; trying again')
          this.#isFailing = true
        },
      )
      .finally(() => {
        if (!this.#stopped) this.#timer = this.#tools.clock.after(ASK_EVERY_MS, () => this.#askNow(cluster))
      })
  }

  async #ask(cluster: Cluster): Promise<void> {
    const { limits, installed, inUse, onChange } = this.#tools
    const wishes = installed().flatMap((setup) => {
      const seats = limits.seatsOf(setup)
      return seats === null ? [] : [{ carrierId: setup.id, slots: seats, inUse: inUse(setup.id) }]
    })
    if (wishes.length === 0 && this.#held.size === 0) return
    const answers = await cluster.takeSlots(wishes)
    const held = new Map(wishes.map(({ carrierId }, index) => [carrierId, answers[index] ?? []]))
    const changed = JSON.stringify([...held]) !== JSON.stringify([...this.#held])
    this.#held = held
    if (changed && !this.#stopped) onChange()
  }
}
