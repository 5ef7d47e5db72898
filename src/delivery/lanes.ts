/** The lanes of all carriers: routes a message to the one that is to try it, and makes the attempts when their turn comes. */
import type { Directory } from '../domain/directory.ts'
import { waitAsked } from '../domain/journey.ts'
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { Carrier } from '../ports/carrier.ts'
import type { Clock } from '../ports/clock.ts'
import type { Lookup } from '../ports/lookup.ts'
import type { Random } from '../ports/random.ts'
import { attempt, openParts } from './attempt.ts'
import type { CarrierFleet } from './carrier-fleet.ts'
import { channelOf } from './desk.ts'
import type { Journeys } from './journeys.ts'
import { Lane, type LaneEntry } from './lane.ts'

export interface LanesTools {
  readonly fleet: CarrierFleet
  readonly directory: () => Directory
  readonly lookup: Lookup
  readonly clock: Clock
  readonly random: Random
}

export class Lanes {
  readonly #tools: LanesTools
  readonly #journeys: Journeys
  readonly #lanes = new Map<string, Lane>()
  /** Messages that stand in a lane or are with a carrier: they are not lined up a second time. */
  readonly #working = new Set<MessageId>()
  readonly #attempts = new Set<Promise<void>>()
  #closed = false

  constructor(tools: LanesTools, journeys: Journeys) {
    this.#tools = tools
    this.#journeys = journeys
  }

  get idle(): boolean {
    return this.#working.size === 0 && this.#attempts.size === 0
  }

  /** Parts on the wire, or answered and not yet recorded. */
  get inFlight(): number {
    return [...this.#lanes.values()].reduce((sum, lane) => sum + lane.inFlight, 0)
  }

  /**
   * Puts a message that is due into the lane of its carrier, unless it stands in one already or has nothing to be tried.
   * The time is not asked again: a clock that was set back must not make anybody forget a message that is held.
   */
  lineUp(message: Message): void {
    const { phase, step, deadlineAt } = message.journey
    if (this.#closed || this.#working.has(message.id) || phase !== 'open') return
    const carrier = this.#route(message)
    if (typeof carrier === 'string') {
      void this.#journeys.tell(message, { kind: 'unroutable', at: this.#tools.clock.now(), step, reason: carrier })
      return
    }
    this.#working.add(message.id)
    const weight = Math.min(carrier.window, openParts(message).length)
    this.#laneOf(carrier).push({ id: message.id, weight, deadlineAt })
  }

  /** Carriers were added, changed or removed: whoever stands in their lanes is routed anew. */
  reroute(carrierIds: readonly string[]): void {
    for (const carrierId of carrierIds) {
      const entries = this.#lanes.get(carrierId)?.clear() ?? []
      this.#lanes.delete(carrierId)
      for (const { id } of entries) {
        this.#working.delete(id)
        const message = this.#journeys.here(id)
        if (message !== undefined) this.lineUp(message)
      }
    }
  }

  /** Starts nothing more and empties the lines. */
  close(): void {
    this.#closed = true
    for (const lane of this.#lanes.values()) for (const { id } of lane.clear()) this.#working.delete(id)
  }

  /** Resolves once every attempt under way is recorded. */
  async drained(): Promise<void> {
    await Promise.allSettled(this.#attempts)
  }

  /** The carrier, or why there is none. */
  #route(message: Message): Carrier | string {
    const { directory, lookup, fleet } = this.#tools
    const route = directory().routes.find(channelOf(message), message.phone, lookup.operatorOf(message.phone))
    if (route === null) return 'no route to this number'
    return fleet.get(route.carrierId) ?? `carrier ${route.carrierId} is not running`
  }

  #laneOf(carrier: Carrier): Lane {
    const existing = this.#lanes.get(carrier.id)
    if (existing !== undefined) return existing
    const lane: Lane = new Lane({
      clock: this.#tools.clock,
      window: carrier.window,
      start: (entry) => {
        const trying = this.#attempt(entry, carrier, lane)
        this.#attempts.add(trying)
        return trying.finally(() => this.#attempts.delete(trying))
      },
      expire: (entry) => this.#expire(entry),
    })
    this.#lanes.set(carrier.id, lane)
    return lane
  }

  async #attempt(entry: LaneEntry, carrier: Carrier, lane: Lane): Promise<void> {
    const message = this.#journeys.here(entry.id)
    if (message === undefined || message.journey.phase !== 'open') {
      this.#working.delete(entry.id)
      return
    }
    if (this.#tools.clock.now() >= message.journey.deadlineAt) {
      this.#expire(entry)
      return
    }
    const event = await attempt(message, carrier, this.#tools)
    for (const verdict of event.verdicts) {
      if (verdict.kind === 'slow') lane.pause(event.at + waitAsked(verdict, 1, event.jitter))
    }
    this.#working.delete(entry.id)
    await this.#journeys.tell(message, event)
  }

  #expire(entry: LaneEntry): void {
    this.#working.delete(entry.id)
    void this.#journeys.tell(this.#journeys.here(entry.id), { kind: 'timeout', at: this.#tools.clock.now() })
  }
}
