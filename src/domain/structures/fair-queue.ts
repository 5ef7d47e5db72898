/**
 * A fair queue: tenants take turns. A turn is worth an amount of work; a tenant whose entry was larger than its turn
 * sits out the turns that it used up. A tenant that had nothing in the queue has its first turn before those that wait
 * for their next one, as in FQ-CoDel (RFC 8290); it has no other turn before each of them had one. Entries of one
 * tenant keep their order. Pushing and shifting take the same time however long the queue is.
 */
import { Fifo } from './fifo.ts'
import { IdMap } from './id-map.ts'

export interface FairRules<Entry> {
  readonly tenantOf: (entry: Entry) => number
  /** The work of an entry, above 0. */
  readonly costOf: (entry: Entry) => number
  /** The work that a tenant may have done in one turn, above 0. */
  readonly turnOf: (tenant: number) => number
}

interface Tenant<Entry> {
  readonly id: number
  readonly entries: Fifo<Entry>
  /** Work that is left of its turn; of deficit round-robin. Below 0 it was served ahead of its turns. */
  left: number
}

/** Tenants that a queue has room for from the beginning. */
const MIN_TENANTS = 64

export class FairQueue<Entry> {
  readonly #rules: FairRules<Entry>
  readonly #tenants = new IdMap<number, Tenant<Entry>>(MIN_TENANTS)
  /** Tenants before their first turn. They go before the others. */
  readonly #newcomers = new Fifo<Tenant<Entry>>()
  /** Tenants that had a turn. One without entries is removed when its next turn comes. */
  readonly #others = new Fifo<Tenant<Entry>>()
  #length = 0

  constructor(rules: FairRules<Entry>) {
    this.#rules = rules
  }

  get length(): number {
    return this.#length
  }

  /** In no particular order. */
  *[Symbol.iterator](): Generator<Entry> {
    for (const { entries } of this.#tenants.values()) yield* entries
  }

  push(entry: Entry): void {
    this.#entriesOf(entry).push(entry)
    this.#length += 1
  }

  /** Puts an entry that has left back before those of its tenant that `isLater` finds. Its turn remains used. */
  putBack(entry: Entry, isLater: (other: Entry) => boolean): void {
    this.#entriesOf(entry).insertBefore(entry, isLater)
    this.#length += 1
  }

  /** The entry that leaves next; undefined when the queue is empty. */
  get first(): Entry | undefined {
    return this.#next()?.entries.first
  }

  /** Whether the first entry goes ahead of others that wait, because its tenant had nothing in the queue. */
  get isFirstAhead(): boolean {
    return this.#next() !== undefined && this.#newcomers.length > 0 && this.#others.length > 0
  }

  /** Removes the first entry; once the turn of its tenant is used up, the next one has its turn. */
  shift(): void {
    const tenant = this.#next()
    if (tenant === undefined) return
    tenant.left -= this.#rules.costOf(tenant.entries.shift() as Entry)
    this.#length -= 1
    if (this.#length === 0) this.#forget()
    else if (tenant.left <= 0 || tenant.entries.length === 0) this.#endTurn()
  }

  /** Removes and returns the entries that fulfil the condition. */
  remove(isRemoved: (entry: Entry) => boolean): readonly Entry[] {
    const removed: Entry[] = []
    for (const { entries } of this.#tenants.values()) {
      for (const entry of entries.remove(isRemoved)) removed.push(entry)
    }
    this.#length -= removed.length
    if (this.#length === 0) this.#forget()
    return removed
  }

  #entriesOf(entry: Entry): Fifo<Entry> {
    const { tenantOf, turnOf } = this.#rules
    const id = tenantOf(entry)
    const known = this.#tenants.get(id)
    if (known !== undefined) return known.entries
    const tenant = { id, entries: new Fifo<Entry>(), left: turnOf(id) }
    this.#tenants.set(id, tenant)
    this.#newcomers.push(tenant)
    return tenant.entries
  }

  /** The tenant whose turn it is; undefined when the queue is empty. */
  #next(): Tenant<Entry> | undefined {
    if (this.#length === 0) return undefined
    for (;;) {
      const tenant = this.#turns.first as Tenant<Entry>
      if (tenant.left > 0 && tenant.entries.length > 0) return tenant
      if (tenant.left > 0) this.#tenants.delete((this.#turns.shift() as Tenant<Entry>).id)
      else this.#endTurn()
    }
  }

  get #turns(): Fifo<Tenant<Entry>> {
    return this.#newcomers.length > 0 ? this.#newcomers : this.#others
  }

  #endTurn(): void {
    const tenant = this.#turns.shift() as Tenant<Entry>
    const turn = this.#rules.turnOf(tenant.id)
    tenant.left = Math.min(turn, tenant.left + turn)
    this.#others.push(tenant)
  }

  #forget(): void {
    for (const turns of [this.#newcomers, this.#others]) {
      for (let tenant = turns.shift(); tenant !== undefined; tenant = turns.shift()) this.#tenants.delete(tenant.id)
    }
  }
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
