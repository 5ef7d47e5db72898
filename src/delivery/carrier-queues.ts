/**
 * The queues of all carriers. Notices when carriers come and go: then queues move on, messages of carriers that are away are
 * routed again, and messages in the store may find a carrier.
 */
import type { Directory } from '../domain/directory.ts'
import type { RouteTable } from '../domain/route.ts'
import type { Carrier } from '../ports/carrier.ts'
import type { Cancel, Clock } from '../ports/clock.ts'
import type { CarrierFleet } from './carrier-fleet.ts'
import { CarrierQueue, type QueueEntry } from './carrier-queue.ts'

export interface CarrierQueueTools {
  readonly fleet: CarrierFleet
  readonly directory: () => Directory
  readonly clock: Clock
  /** Messages that wait in memory for a carrier that can take nothing. */
  readonly maxWaiting: number
  /** Whether anything may be sent now, whatever carriers say. */
  readonly mayAct: () => boolean
  /** A carrier can take messages that could not. */
  readonly onOpened: () => void
}

/** What becomes of queued messages. */
export interface QueueWorker {
  submit(entry: QueueEntry, carrier: Carrier, queue: CarrierQueue): Promise<void>
  expire(entry: QueueEntry): void
  requeue(entry: QueueEntry): void
}

/** How often carriers are looked at, as long as anything is queued. */
const LOOK_MS = 500

export class CarrierQueues {
  readonly #tools: CarrierQueueTools
  readonly #worker: QueueWorker
  readonly #queues = new Map<string, CarrierQueue>()
  #isClosed = false
  #routes: RouteTable
  #nextLook: Cancel | null = null
  /** Which carriers were open or starting at the last look, and the directory's revision then. */
  #seen = ''
  /** The carriers that messages were last claimed for, or seen to take them. */
  #intakeNodes: ReadonlySet<string> = new Set()
  #isWatching = false

  constructor(tools: CarrierQueueTools, worker: QueueWorker) {
    this.#tools = tools
    this.#worker = worker
    this.#routes = tools.directory().routes
    tools.fleet.onChange = () => this.#look()
  }

  /** Parts on the wire, or answered and not yet recorded. */
  get inFlight(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.inFlight, 0)
  }

  /** Messages queued for the carrier. */
  waitingFor(carrierId: string): number {
    return this.#queues.get(carrierId)?.length ?? 0
  }

  /** Whether a carrier that can take nothing has as many messages in memory as may wait there. */
  isFull({ id }: Carrier): boolean {
    return this.waitingFor(id) >= this.#tools.maxWaiting && !this.#tools.fleet.mayTry(id)
  }

  push(carrier: Carrier, entry: QueueEntry): void {
    const queue = this.#queueOf(carrier)
    queue.push(entry)
    if (queue.length > 0) this.#lookLater()
  }

  /** Returns the carriers here that can take something, and for which not too much waits in memory. */
  intakeNodes(): readonly string[] {
    const { fleet, maxWaiting } = this.#tools
    // While its breaker is half-open, a carrier takes from the store only what its probe needs.
    const intakeNodes = fleet.all().flatMap(({ id }) => {
      const hasRoom = fleet.breakerOf(id)?.state === 'closed' || this.waitingFor(id) < maxWaiting
      return fleet.mayTry(id) && hasRoom ? id : []
    })
    this.#intakeNodes = new Set(intakeNodes)
    return intakeNodes
  }

  /** Messages in the store wait for carriers: from now on it is noticed when one can take them. */
  watch(): void {
    this.#isWatching = true
    this.#lookLater()
  }

  /** The directory has changed. Routes again what is queued for these carriers, or for any when routes have changed. */
  reroute(carrierIds: readonly string[]): void {
    const { routes } = this.#tools.directory()
    const isStale = ([id]: readonly [string, CarrierQueue]) => routes !== this.#routes || carrierIds.includes(id)
    const stale = [...this.#queues].filter(isStale).map(([, queue]) => queue)
    this.#routes = routes
    for (const carrierId of carrierIds) this.#queues.delete(carrierId)
    for (const queue of stale) this.#requeue(queue)
    this.#look()
  }

  /** Starts nothing more; returns what was queued. */
  close(): readonly QueueEntry[] {
    this.#isClosed = true
    this.#nextLook?.()
    return [...this.#queues.values()].flatMap((queue) => queue.clear())
  }

  #look(): void {
    if (this.#isClosed) return
    const { fleet, directory, onOpened } = this.#tools
    const states = fleet.all().map(({ id }) => `${id}:${fleet.mayTry(id)}:${fleet.isStarting(id)}`)
    const seen = `${directory().revision} ${states.join(' ')}`
    const changed = seen !== this.#seen
    this.#seen = seen
    for (const [id, queue] of [...this.#queues]) {
      if (fleet.mayTry(id)) queue.wake()
      else if (changed) this.#requeue(queue)
    }
    const before = this.#intakeNodes
    if (this.intakeNodes().some((id) => !before.has(id))) {
      this.#isWatching = false
      onOpened()
    }
    if (this.#isWatching || [...this.#queues.values()].some((queue) => queue.length > 0)) this.#lookLater()
  }

  #lookLater(): void {
    if (this.#isClosed) return
    this.#nextLook ??= this.#tools.clock.after(LOOK_MS, () => {
      this.#nextLook = null
      this.#look()
    })
  }

  #requeue(queue: CarrierQueue): void {
    for (const entry of queue.clear()) this.#worker.requeue(entry)
  }

  #queueOf(carrier: Carrier): CarrierQueue {
    const existing = this.#queues.get(carrier.id)
    if (existing !== undefined) return existing
    const queue: CarrierQueue = new CarrierQueue({
      clock: this.#tools.clock,
      window: carrier.window,
      mayStart: () => this.#tools.fleet.mayTry(carrier.id) && this.#tools.mayAct(),
      start: (entry) => this.#worker.submit(entry, carrier, queue),
      expire: (entry) => this.#worker.expire(entry),
    })
    this.#queues.set(carrier.id, queue)
    return queue
  }
}
