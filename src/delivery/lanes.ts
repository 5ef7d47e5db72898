/**
 * The lanes of all carriers: routes a message to the one that is to try it, and makes the attempts when their turn comes.
 * While no carrier can take a message it waits, some in memory and the rest in the store, and nothing is recorded of it.
 */
import type { Directory } from '../domain/directory.ts'
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { RouteTable } from '../domain/route.ts'
import { tenantOf } from '../domain/tenant.ts'
import { waitAsked } from '../domain/wait-asked.ts'
import type { Carrier } from '../ports/carrier.ts'
import type { Cancel, Clock } from '../ports/clock.ts'
import type { Lookup } from '../ports/lookup.ts'
import type { Random } from '../ports/random.ts'
import { attempt, isSettled, openParts, tellBreaker } from './attempt.ts'
import { barOf } from './bar.ts'
import type { CarrierFleet } from './carrier-fleet.ts'
import { chooseCarrier, isAnotherLeft, wishesOf } from './choose-carrier.ts'
import type { Journeys } from './journeys.ts'
import { Lane, type LaneEntry } from './lane.ts'

export interface LanesTools {
  readonly fleet: CarrierFleet
  readonly directory: () => Directory
  readonly lookup: Lookup
  readonly clock: Clock
  readonly random: Random
  /** Messages that wait in memory for a carrier that can take nothing; more wait in the store. */
  readonly mostWaiting: number
  /** Whether anything may be sent now, whatever carriers say. */
  readonly mayAct: () => boolean
  /** Takes a message that waits in the store for one of these carriers: they are with other nodes, or cannot take it now. */
  readonly wait: (message: Message, carriers: readonly string[]) => void
  /** A carrier can take messages that could not. */
  readonly onOpened: () => void
}

/** How often it is looked whether carriers came or went, as long as anybody stands in line. */
const LOOK_MS = 500
/** From so many on it is looked which of them have gone another way. */
const MOST_HANDED_OVER = 1_000

export class Lanes {
  readonly #tools: LanesTools
  readonly #journeys: Journeys
  readonly #lanes = new Map<string, Lane>()
  /** Messages that stand in a lane or are with a carrier: they are not lined up a second time. */
  readonly #working = new Set<MessageId>()
  readonly #attempts = new Set<Promise<void>>()
  /** Messages that a carrier is asked to take, and has not answered for yet. */
  readonly #onTheWire = new Set<MessageId>()
  /** Messages that another node has handed over, until they were tried here. */
  readonly #handedOver = new Set<MessageId>()
  #closed = false
  #routes: RouteTable
  #nextLook: Cancel | null = null
  /** Which carriers were open or starting at the last look, and the directory's revision then. */
  #seen = ''
  /** The carriers that messages were last claimed for, or seen to take them. */
  #takers: ReadonlySet<string> = new Set()
  #isWatching = false

  constructor(tools: LanesTools, journeys: Journeys) {
    this.#tools = tools
    this.#journeys = journeys
    this.#routes = tools.directory().routes
    tools.fleet.onChange = () => this.#look()
  }

  get idle(): boolean {
    return this.#working.size === 0 && this.#attempts.size === 0
  }

  /** Parts on the wire, or answered and not yet recorded. */
  get inFlight(): number {
    return [...this.#lanes.values()].reduce((sum, lane) => sum + lane.inFlight, 0)
  }

  isOnTheWire(id: MessageId): boolean {
    return this.#onTheWire.has(id)
  }

  waitingFor(carrierId: string): number {
    return this.#lanes.get(carrierId)?.length ?? 0
  }

  /** The carriers here that can take something, and for which not too much waits in memory. */
  takers(): readonly string[] {
    this.#takers = new Set(this.#findTakers())
    return [...this.#takers]
  }

  /** Messages in the store wait for carriers: somebody has to see when one can take them. */
  watch(): void {
    this.#isWatching = true
    this.#lookLater()
  }

  /** While its breaker is half-open, a carrier takes from the store only what its probe needs. */
  #findTakers(): readonly string[] {
    const { fleet, mostWaiting } = this.#tools
    return this.#open().filter((id) => {
      return fleet.breakerOf(id)?.state === 'closed' || this.waitingFor(id) < mostWaiting
    })
  }

  /**
   * Puts a message that is due into the lane of its carrier, unless it stands in one already or has nothing to be tried.
   * The time is not asked again: a clock that was set back must not make anybody forget a message that is held.
   */
  lineUp(message: Message): void {
    const { phase, step, deadlineAt } = message.journey
    if (this.#closed || this.#working.has(message.id) || phase !== 'open') return
    const choice = chooseCarrier(message, this.#handedOver.has(message.id), this.#tools)
    if (choice.kind === 'nobody') {
      const { reason } = choice
      void this.#journeys.tell(message, { kind: 'unroutable', at: this.#tools.clock.now(), step, reason })
      return
    }
    if (choice.kind === 'elsewhere') {
      this.#handedOver.delete(message.id)
      this.#tools.wait(message, choice.candidates)
      return
    }
    const { carrier, candidates } = choice
    const lane = this.#laneOf(carrier)
    if (lane.length >= this.#tools.mostWaiting && !this.#tools.fleet.mayTry(carrier.id)) {
      this.#handedOver.delete(message.id)
      this.#tools.wait(message, candidates)
      return
    }
    this.#working.add(message.id)
    const weight = Math.min(carrier.window, openParts(message).length)
    lane.push({ id: message.id, tenant: tenantOf(message), weight, deadlineAt })
    if (lane.length > 0) this.#lookLater()
  }

  /** These come from other nodes, which have not their carrier. */
  expectHandedOver(ids: readonly MessageId[]): void {
    for (const id of ids) this.#handedOver.add(id)
    if (this.#handedOver.size < MOST_HANDED_OVER) return
    for (const id of this.#handedOver) if (this.#journeys.here(id) === undefined) this.#handedOver.delete(id)
  }

  /** The directory has changed, these carriers most of all: whoever stands in their lanes, or in any when routes have changed, is routed anew. */
  reroute(carrierIds: readonly string[]): void {
    const { routes } = this.#tools.directory()
    const isStale = ([id]: readonly [string, Lane]) => routes !== this.#routes || carrierIds.includes(id)
    const stale = [...this.#lanes].filter(isStale).map(([, lane]) => lane)
    this.#routes = routes
    for (const carrierId of carrierIds) this.#lanes.delete(carrierId)
    for (const lane of stale) this.#lineUpAgain(lane)
    this.#look()
  }

  /** Starts nothing more and empties the lines. */
  close(): void {
    this.#closed = true
    this.#nextLook?.()
    for (const lane of this.#lanes.values()) for (const { id } of lane.clear()) this.#working.delete(id)
  }

  /** Resolves once every attempt under way is recorded. */
  async drained(): Promise<void> {
    await Promise.allSettled(this.#attempts)
  }

  /** Carriers come and go: lanes of those that can take something move, the others' messages may have another way. */
  #look(): void {
    if (this.#closed) return
    const { fleet, directory, onOpened } = this.#tools
    const states = fleet.all().map(({ id }) => `${id}:${fleet.mayTry(id)}:${fleet.isStarting(id)}`)
    const seen = `${directory().revision} ${states.join(' ')}`
    const changed = seen !== this.#seen
    this.#seen = seen
    for (const [id, lane] of [...this.#lanes]) {
      if (fleet.mayTry(id)) lane.wake()
      else if (changed) this.#lineUpAgain(lane)
    }
    const before = this.#takers
    if (this.takers().some((id) => !before.has(id))) {
      this.#isWatching = false
      onOpened()
    }
    if (this.#isWatching || [...this.#lanes.values()].some((lane) => lane.length > 0)) this.#lookLater()
  }

  #open(): readonly string[] {
    const { fleet } = this.#tools
    return fleet.all().flatMap(({ id }) => (fleet.mayTry(id) ? id : []))
  }

  #lookLater(): void {
    if (this.#closed) return
    this.#nextLook ??= this.#tools.clock.after(LOOK_MS, () => {
      this.#nextLook = null
      this.#look()
    })
  }

  #lineUpAgain(lane: Lane): void {
    for (const { id } of lane.clear()) {
      this.#working.delete(id)
      const message = this.#journeys.here(id)
      if (message !== undefined) this.lineUp(message)
    }
  }

  #laneOf(carrier: Carrier): Lane {
    const existing = this.#lanes.get(carrier.id)
    if (existing !== undefined) return existing
    const lane: Lane = new Lane({
      clock: this.#tools.clock,
      window: carrier.window,
      mayStart: () => this.#tools.fleet.mayTry(carrier.id) && this.#tools.mayAct(),
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
    this.#handedOver.delete(entry.id)
    const message = this.#journeys.here(entry.id)
    if (message === undefined || message.journey.phase !== 'open') {
      this.#working.delete(entry.id)
      return
    }
    if (this.#tools.clock.now() >= message.journey.deadlineAt) {
      this.#expire(entry)
      return
    }
    const bar = barOf(message, this.#tools.directory(), this.#tools.clock.now())
    if (bar !== null) {
      this.#working.delete(entry.id)
      await this.#journeys.tell(message, bar)
      return
    }
    const breaker = this.#tools.fleet.breakerOf(carrier.id)
    breaker?.begin()
    this.#onTheWire.add(message.id)
    const anotherLeft = () => isAnotherLeft(message, carrier.id, this.#tools)
    const wishes = { ...wishesOf(message, carrier.id, this.#tools), anotherLeft }
    const event = await attempt(message, carrier, wishes, this.#tools)
    this.#onTheWire.delete(message.id)
    for (const verdict of event.verdicts) {
      if (verdict.kind === 'slow') lane.pause(waitAsked(verdict, 1, event.jitter))
    }
    this.#tools.fleet.rateOf(carrier.id)?.add(event.verdicts.filter(isSettled).length)
    if (breaker !== undefined) tellBreaker(breaker, event.verdicts)
    this.#working.delete(entry.id)
    const leavesSlow = carrier.channel === 'call' || breaker?.degraded?.slow === true
    const asks = event.verdicts.some(({ kind }) => kind === 'unreachable' || (kind === 'slow' && leavesSlow))
    await this.#journeys.tell(message, { ...event, anotherLeft: asks && anotherLeft() })
  }

  #expire(entry: LaneEntry): void {
    this.#working.delete(entry.id)
    void this.#journeys.tell(this.#journeys.here(entry.id), { kind: 'timeout', at: this.#tools.clock.now() })
  }
}
