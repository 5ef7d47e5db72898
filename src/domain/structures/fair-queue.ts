/**
 * A fair queue: groups of tenants take turns, and the tenants of one group share its turns by weight. A turn is worth
 * an amount of work; a group whose entry was larger than its turn sits out the turns that it used up. A group that had
 * nothing in the queue has its first turn before those that wait for their next one, as in FQ-CoDel (RFC 8290); it has
 * no other turn before each of them had one. Entries of one tenant keep their order. Pushing and shifting take the same
 * time however long the queue is.
 */
import { Fifo } from './fifo.ts'
import { IdMap } from './id-map.ts'

export interface FairRules<Entry> {
  readonly tenantOf: (entry: Entry) => number
  /** The group that the tenant belongs to, often the tenant alone. */
  readonly groupOf: (tenant: number) => number
  /** Turns of a tenant out of those of its group while all of the group wait. */
  readonly weightOf: (tenant: number) => number
  /** The work of an entry, above 0. */
  readonly costOf: (entry: Entry) => number
  /** The work that a group may have done in one turn, above 0. */
  readonly turnOf: (group: number) => number
}

interface TenantQueue<Entry> {
  readonly tenant: number
  readonly entries: Fifo<Entry>
  readonly weight: number
  /** Of smooth weighted round-robin: the queue with the most credit goes next and pays the sum of all weights. */
  credit: number
}

interface Group<Entry> {
  readonly id: number
  /** Of the tenants with entries: few, as those of an account are its traffic classes. */
  queues: TenantQueue<Entry>[]
  /** The queue whose entry leaves next, once that has been asked; it stays the same until the entry leaves. */
  next: TenantQueue<Entry> | null
  /** Work that is left of the group's turn; of deficit round-robin. Below 0 it was served ahead of its turns. */
  left: number
}

/** Groups that a queue has room for from the beginning. */
const MIN_GROUPS = 64

export class FairQueue<Entry> {
  readonly #rules: FairRules<Entry>
  readonly #groups = new IdMap<number, Group<Entry>>(MIN_GROUPS)
  /** Groups before their first turn. They go before the others. */
  readonly #newcomers = new Fifo<Group<Entry>>()
  /** Groups that had a turn. One without entries is removed when its next turn comes. */
  readonly #others = new Fifo<Group<Entry>>()
  #length = 0

  constructor(rules: FairRules<Entry>) {
    this.#rules = rules
  }

  get length(): number {
    return this.#length
  }

  /** In no particular order. */
  *[Symbol.iterator](): Generator<Entry> {
    for (const { queues } of this.#groups.values()) for (const { entries } of queues) yield* entries
  }

  push(entry: Entry): void {
    this.#queueOf(entry).entries.push(entry)
    this.#length += 1
  }

  /** Puts an entry that has left back before those of its tenant that `isLater` finds. Its turn remains used. */
  putBack(entry: Entry, isLater: (other: Entry) => boolean): void {
    this.#queueOf(entry).entries.insertBefore(entry, isLater)
    this.#length += 1
  }

  /** The entry that leaves next; undefined when the queue is empty. */
  get first(): Entry | undefined {
    const group = this.#next()
    return group === undefined ? undefined : nextQueue(group).entries.first
  }

  /** Whether the first entry goes ahead of others that wait, because its group had nothing in the queue. */
  get isFirstAhead(): boolean {
    return this.#next() !== undefined && this.#newcomers.length > 0 && this.#others.length > 0
  }

  /** Removes the first entry; once the turn of its group is used up, the next group has its turn. */
  shift(): void {
    const group = this.#next()
    if (group === undefined) return
    const queue = nextQueue(group)
    group.left -= this.#rules.costOf(queue.entries.shift() as Entry)
    group.next = null
    this.#length -= 1
    if (queue.entries.length === 0) group.queues.splice(group.queues.indexOf(queue), 1)
    if (this.#length === 0) this.#forget()
    else if (group.left <= 0 || group.queues.length === 0) this.#endTurn()
  }

  /** Removes and returns the entries that fulfil the condition. */
  remove(isRemoved: (entry: Entry) => boolean): readonly Entry[] {
    const removed: Entry[] = []
    for (const group of this.#groups.values()) {
      for (const { entries } of group.queues) for (const entry of entries.remove(isRemoved)) removed.push(entry)
      group.queues = group.queues.filter(({ entries }) => entries.length > 0)
      if (group.next?.entries.length === 0) group.next = null
    }
    this.#length -= removed.length
    if (this.#length === 0) this.#forget()
    return removed
  }

  #queueOf(entry: Entry): TenantQueue<Entry> {
    const { tenantOf, groupOf, weightOf, turnOf } = this.#rules
    const tenant = tenantOf(entry)
    const id = groupOf(tenant)
    let group = this.#groups.get(id)
    if (group === undefined) {
      group = { id, queues: [], next: null, left: turnOf(id) }
      this.#groups.set(id, group)
      this.#newcomers.push(group)
    }
    for (const queue of group.queues) if (queue.tenant === tenant) return queue
    const queue = { tenant, entries: new Fifo<Entry>(), weight: weightOf(tenant), credit: 0 }
    group.queues.push(queue)
    return queue
  }

  /** The group whose turn it is; undefined when the queue is empty. */
  #next(): Group<Entry> | undefined {
    if (this.#length === 0) return undefined
    for (;;) {
      const group = this.#turns.first as Group<Entry>
      if (group.left > 0 && group.queues.length > 0) return group
      if (group.left > 0) this.#groups.delete((this.#turns.shift() as Group<Entry>).id)
      else this.#endTurn()
    }
  }

  get #turns(): Fifo<Group<Entry>> {
    return this.#newcomers.length > 0 ? this.#newcomers : this.#others
  }

  #endTurn(): void {
    const group = this.#turns.shift() as Group<Entry>
    const turn = this.#rules.turnOf(group.id)
    group.left = Math.min(turn, group.left + turn)
    this.#others.push(group)
  }

  #forget(): void {
    for (const turns of [this.#newcomers, this.#others]) {
      for (let group = turns.shift(); group !== undefined; group = turns.shift()) this.#groups.delete(group.id)
    }
  }
}

function nextQueue<Entry>(group: Group<Entry>): TenantQueue<Entry> {
  if (group.next !== null) return group.next
  const { queues } = group
  const [only] = queues
  if (queues.length === 1 && only !== undefined) return only
  const sum = queues.reduce((all, { weight }) => all + weight, 0)
  for (const queue of queues) queue.credit += queue.weight
  const next = queues.reduce((best, queue) => (queue.credit > best.credit ? queue : best))
  next.credit -= sum
  group.next = next
  return next
}

/**
 * How much of a bounded memory one tenant may hold: less than what is left free. One tenant alone fills half of it, two
 * fill a third each, and so on, so that a tenant that holds little always has room.
 */
export function mayHold(held: number, free: number): boolean {
  return held < free
}

/** Returns how many more messages a tenant may take at once by that rule. */
export function allowance(held: number, free: number): number {
  return Math.max(0, Math.ceil((free - held) / 2))
}
