/**
 * A queue of messages by traffic class: the highest class that waits leaves first, except for the places that lower
 * ones keep. Within a class accounts take turns, one message each.
 */
import { FairQueue, type FairRules } from '../structures/fair-queue.ts'
import { rankOfTenant } from './message.ts'
import { TRAFFIC_CLASSES } from './traffic-class.ts'

interface Entry {
  readonly tenant: number
}

interface Class<T> {
  readonly queue: FairQueue<T>
  /** Of 100: how much of a place it has kept so far while higher classes left. */
  credit: number
}

const PLACE = 100

const ACCOUNTS_TAKE_TURNS: FairRules<Entry> = { tenantOf: ({ tenant }) => tenant, costOf: () => 1, turnOf: () => 1 }

export class ClassQueue<T extends Entry> {
  readonly #lowerShare: number
  readonly #classes: readonly Class<T>[] = TRAFFIC_CLASSES.map(() => ({
    queue: new FairQueue<T>(ACCOUNTS_TAKE_TURNS),
    credit: 0,
  }))
  #length = 0

  /** @param lowerShare how many of 100 places each lower class keeps while it waits. */
  constructor(lowerShare: number) {
    this.#lowerShare = lowerShare
  }

  get length(): number {
    return this.#length
  }

  /** In no particular order. */
  *[Symbol.iterator](): Generator<T> {
    for (const { queue } of this.#classes) yield* queue
  }

  push(entry: T): void {
    this.#queueOf(entry).push(entry)
    this.#length += 1
  }

  /** Puts an entry that has left back before those of its tenant that `isLater` finds. Its turn remains used. */
  putBack(entry: T, isLater: (other: T) => boolean): void {
    this.#queueOf(entry).putBack(entry, isLater)
    this.#length += 1
  }

  /** Returns how many entries of the tenant's class wait. */
  lengthOf(tenant: number): number {
    return this.#classAt(rankOfTenant(tenant)).queue.length
  }

  /** The entry that leaves next; undefined when the queue is empty. */
  get first(): T | undefined {
    return this.#length === 0 ? undefined : this.#next().queue.first
  }

  /** Whether the first entry goes ahead of others: of other classes, or as its account had nothing waiting. */
  get isFirstAhead(): boolean {
    if (this.#length === 0) return false
    const { queue } = this.#next()
    return queue.isFirstAhead || queue.length < this.#length
  }

  /** Removes the first entry. */
  shift(): void {
    if (this.#length === 0) return
    const [next, highest] = [this.#next(), this.#highest()]
    for (const each of this.#classes) {
      if (each !== highest && each.queue.length > 0) each.credit += this.#lowerShare
    }
    if (next !== highest) next.credit -= PLACE
    // It has all places that the others do not keep.
    highest.credit = 0
    next.queue.shift()
    this.#length -= 1
  }

  /** Removes and returns the entries that fulfil the condition. */
  remove(isRemoved: (entry: T) => boolean): readonly T[] {
    const removed = this.#classes.flatMap(({ queue }) => queue.remove(isRemoved))
    this.#length -= removed.length
    return removed
  }

  /** The class whose place is next, of a queue that is not empty. */
  #next(): Class<T> {
    return this.#classes.findLast(({ queue, credit }) => credit >= PLACE && queue.length > 0) ?? this.#highest()
  }

  #highest(): Class<T> {
    return this.#classes.find(({ queue }) => queue.length > 0) as Class<T>
  }

  #queueOf({ tenant }: T): FairQueue<T> {
    return this.#classAt(rankOfTenant(tenant)).queue
  }

  #classAt(rank: number): Class<T> {
    return this.#classes[rank] as Class<T>
  }
}
