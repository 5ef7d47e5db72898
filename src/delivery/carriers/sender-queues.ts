/**
 * The queues of senders that have a rate. A message waits here before it is queued for a carrier, so that it takes no
 * place in a carrier's window. Its parts are counted when it leaves and is submitted at once; one that had to wait for
 * its carrier is counted when it starts, and comes back if that is too early. Monotonic time: changes of the wall clock
 * have no effect.
 */

import type { RatedSender } from '../../domain/accounts/sender.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import { classOfTenant, tenantOfClass } from '../../domain/message/message.ts'
import { TRAFFIC_CLASSES, type TrafficClass } from '../../domain/message/traffic-class.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import { CarrierQueue, type QueueEntry } from './carrier-queue.ts'
import type { QueueWorker } from './carrier-queues.ts'

export interface SenderQueueTools {
  readonly clock: Clock
  /** How many nodes share the rate. */
  readonly nodes: () => number
  /** Maximum of messages of a traffic class in memory for one sender; more wait in the store. */
  readonly maxWaiting: number
  readonly lowerShare: number
}

type Worker = Pick<QueueWorker, 'expire' | 'requeue'>

/** Lateness of a timer that may be caught up, milliseconds. */
const CATCH_UP_MS = 20

export class SenderQueues {
  readonly #tools: SenderQueueTools
  readonly #worker: Worker
  readonly #queues = new Map<string, SenderQueue>()

  constructor(tools: SenderQueueTools, worker: Worker) {
    this.#tools = tools
    this.#worker = worker
  }

  of(sender: RatedSender): SenderQueue {
    const id = nameOf(sender)
    const queue = this.#queues.get(id) ?? new SenderQueue(this.#tools, this.#worker)
    queue.perSecond = sender.perSecond
    this.#queues.set(id, queue)
    return queue
  }

  /** Returns the ids under which messages that there is room for here wait in the store. */
  withRoom(senders: readonly RatedSender[]): readonly string[] {
    return senders.flatMap((sender) => {
      const queue = this.#queues.get(nameOf(sender))
      const open = TRAFFIC_CLASSES.filter((each) => queue?.isFullFor(tenantOfClass(sender.accountId, each)) !== true)
      return open.map((each) => senderQueueId(sender, each))
    })
  }

  /** Routes all their messages again: senders or rates have changed. */
  requeue(): void {
    for (const entry of this.clear()) this.#worker.requeue(entry)
  }

  /** Empties the queues and returns their entries. */
  clear(): readonly QueueEntry[] {
    return [...this.#queues.values()].flatMap((queue) => queue.clear())
  }
}

/**
 * Names the queue of a sender and a traffic class in the store, among those of carriers, whose ids have no spaces: a
 * node whose memory is full of one class of the sender may take another one. Earlier versions queued all classes under
 * the name of bulk.
 */
export function senderQueueId(sender: RatedSender, trafficClass: TrafficClass): string {
  return trafficClass === 'bulk' ? nameOf(sender) : `${trafficClass} of ${nameOf(sender)}`
}

function nameOf({ accountId, channel, name }: RatedSender): string {
  return `sender ${accountId} ${channel} ${name}`
}

class SenderQueue {
  /** Parts that all nodes together may send. */
  perSecond = 1
  readonly #tools: SenderQueueTools
  readonly #queue: CarrierQueue
  /** Monotonic: when the next part may be sent. */
  #nextAt = Number.NEGATIVE_INFINITY
  /** Counted, and being queued for its carrier right now. */
  #leaving: MessageId | null = null
  #wakeUp: Cancel | null = null
  #wasQueued = false
  /** Classes that are full here. */
  readonly #full = new Set<TrafficClass>()

  constructor(tools: SenderQueueTools, worker: Worker) {
    this.#tools = tools
    this.#queue = new CarrierQueue({
      clock: tools.clock,
      window: Number.POSITIVE_INFINITY,
      lowerShare: tools.lowerShare,
      mayStart: () => this.#waitMs <= 0,
      start: (entry) => {
        this.#count(entry)
        this.#leaving = entry.id
        worker.requeue(entry)
        this.#leaving = null
        return false
      },
      expire: (entry) => worker.expire(entry),
    })
  }

  /** Whether the tenant's class was full, and still is more than half full. */
  isFullFor(tenant: number): boolean {
    const length = this.#queue.lengthOf(tenant)
    const { maxWaiting } = this.#tools
    const trafficClass = classOfTenant(tenant)
    const isFull = length >= maxWaiting || (this.#full.has(trafficClass) && length > maxWaiting / 2)
    if (isFull) this.#full.add(trafficClass)
    else this.#full.delete(trafficClass)
    return isFull
  }

  /** Whether it is the message's turn: it may be queued for its carrier. */
  isLeaving(id: MessageId): boolean {
    return this.#leaving === id
  }

  /** Keeps the message until its turn; passes it on at once if nothing waits and the rate allows it. */
  push(entry: QueueEntry): void {
    this.#queue.push(entry)
    this.#wakeLater()
  }

  /** Returns whether the message may be submitted now, and counts it then. */
  mayStart(entry: QueueEntry): boolean {
    if (this.#leaving === entry.id) return true
    if (this.#waitMs > 0) return false
    this.#count(entry)
    return true
  }

  clear(): readonly QueueEntry[] {
    this.#wakeUp?.()
    this.#wakeUp = null
    return this.#queue.clear()
  }

  get #waitMs(): number {
    return this.#nextAt - this.#tools.clock.monotonic()
  }

  #count({ weight }: QueueEntry): void {
    const now = this.#tools.clock.monotonic()
    const earliest = this.#wasQueued ? now - CATCH_UP_MS : now
    this.#nextAt = Math.max(this.#nextAt, earliest) + (weight * 1_000 * this.#tools.nodes()) / this.perSecond
  }

  #wakeLater(): void {
    if (this.#queue.length === 0) return
    this.#wakeUp ??= this.#tools.clock.after(Math.max(0, this.#waitMs), () => {
      this.#wakeUp = null
      this.#wasQueued = true
      this.#queue.wake()
      this.#wasQueued = false
      this.#wakeLater()
    })
  }
}
