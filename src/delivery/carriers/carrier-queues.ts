/**
 * The queues of all carriers. When carriers become available or unavailable, queues continue, messages of unavailable
 * carriers are routed again, and messages in the store may be claimed.
 */

import type { Directory } from '../../domain/directory/directory.ts'
import { accountOfTenant } from '../../domain/message/message.ts'
import type { RouteTable } from '../../domain/routing/route.ts'
import type { Carrier } from '../../ports/carriers/carrier.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import type { CarrierFleet } from './carrier-fleet.ts'
import { CarrierQueue, type QueueEntry } from './carrier-queue.ts'

export interface CarrierQueueTools {
  readonly fleet: CarrierFleet
  readonly directory: () => Directory
  readonly clock: Clock
  /** Maximum of messages in memory for a carrier that can take nothing. */
  readonly maxWaiting: number
  /** Of 100 places, those that each lower class keeps (domain/message/class-queue.ts). */
  readonly lowerShare: number
  /** Whether this node may send anything now. */
  readonly mayAct: () => boolean
  /** Called when a carrier can take messages again. */
  readonly onOpened: () => void
  /** Returns the queues of senders in the store from which this node may take messages now. */
  readonly openSenders: () => readonly string[]
}

/** Processes messages that leave their queue. */
export interface QueueWorker {
  /** Returns false if the message is not to be submitted; otherwise ends the entry once its attempt is recorded. */
  submit(entry: QueueEntry, carrier: Carrier, queue: CarrierQueue): boolean
  expire(entry: QueueEntry): void
  requeue(entry: QueueEntry): void
}

/** How often the states of carriers are checked while anything is queued. */
const CHECK_MS = 500

export class CarrierQueues {
  readonly #tools: CarrierQueueTools
  readonly #worker: QueueWorker
  readonly #queues = new Map<string, CarrierQueue>()
  #isClosed = false
  #routes: RouteTable
  #nextCheck: Cancel | null = null
  /** The states of carriers and the directory's revision at the last check. */
  #seen = ''
  /** The carriers that could take messages at the last check or claim. */
  #openCarriers: ReadonlySet<string> = new Set()
  #isWatching = false

  constructor(tools: CarrierQueueTools, worker: QueueWorker) {
    this.#tools = tools
    this.#worker = worker
    this.#routes = tools.directory().routes
    tools.fleet.onChange = () => this.#check()
  }

  /** Parts on the wire, or answered and not yet recorded. */
  get inFlight(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.inFlight, 0)
  }

  /** Messages queued for the carrier. */
  waitingFor(carrierId: string): number {
    return this.#queues.get(carrierId)?.length ?? 0
  }

  /** Returns the messages queued for the carrier, in no particular order. */
  queuedFor(carrierId: string): Iterable<QueueEntry> {
    return this.#queues.get(carrierId)?.entries() ?? []
  }

  /** Whether the carrier can take nothing and has the maximum of messages in memory. */
  isFull({ id }: Carrier): boolean {
    return this.waitingFor(id) >= this.#tools.maxWaiting && !this.#tools.fleet.mayTry(id)
  }

  push(carrier: Carrier, entry: QueueEntry): void {
    const queue = this.#queueOf(carrier)
    queue.push(entry)
    if (queue.length > 0) this.#checkLater()
  }

  /** Returns the carriers of this node that can take messages, and senders with a rate, with room in memory. */
  openCarriers(): readonly string[] {
    const { fleet, maxWaiting, openSenders } = this.#tools
    // While its breaker is half-open, a carrier needs only the message for its probe.
    const open = fleet.all().flatMap(({ id }) => {
      const hasRoom = fleet.breakerOf(id)?.state === 'closed' || this.waitingFor(id) < maxWaiting
      return fleet.mayTry(id) && hasRoom ? id : []
    })
    open.push(...openSenders())
    this.#openCarriers = new Set(open)
    return open
  }

  /** Calls `onOpened` once a carrier can take the messages that wait in the store. */
  watch(): void {
    this.#isWatching = true
    this.#checkLater()
  }

  /**
   * Routes the messages queued for these carriers again, and those of accounts that may not send; all queued messages
   * if routes have changed.
   */
  reroute(carrierIds: readonly string[]): void {
    const directory = this.#tools.directory()
    const { routes } = directory
    const mayNotSend = ({ tenant }: QueueEntry) => !directory.maySend(accountOfTenant(tenant))
    const isStale = ([id]: readonly [string, CarrierQueue]) => routes !== this.#routes || carrierIds.includes(id)
    const stale = [...this.#queues].filter(isStale).map(([, queue]) => queue)
    this.#routes = routes
    for (const carrierId of carrierIds) this.#queues.delete(carrierId)
    for (const queue of stale) this.#requeue(queue)
    for (const queue of this.#queues.values()) for (const entry of queue.remove(mayNotSend)) this.#worker.requeue(entry)
    this.#check()
  }

  /** Starts nothing more and returns the queued messages. */
  close(): readonly QueueEntry[] {
    this.#isClosed = true
    this.#nextCheck?.()
    return [...this.#queues.values()].flatMap((queue) => queue.clear())
  }

  #check(): void {
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
    const before = this.#openCarriers
    if (this.openCarriers().some((id) => !before.has(id))) {
      this.#isWatching = false
      onOpened()
    }
    if (this.#isWatching || [...this.#queues.values()].some((queue) => queue.length > 0)) this.#checkLater()
  }

  #checkLater(): void {
    if (this.#isClosed) return
    this.#nextCheck ??= this.#tools.clock.after(CHECK_MS, () => {
      this.#nextCheck = null
      this.#check()
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
      reserved: carrier.reserved,
      lowerShare: this.#tools.lowerShare,
      mayStart: () => this.#tools.fleet.mayTry(carrier.id) && this.#tools.mayAct(),
      start: (entry) => this.#worker.submit(entry, carrier, queue),
      expire: (entry) => this.#worker.expire(entry),
    })
    this.#queues.set(carrier.id, queue)
    return queue
  }
}
