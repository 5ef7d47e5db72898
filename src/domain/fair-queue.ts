/**
 * A fair queue: groups of tenants take turns, and the tenants of one group share its turns by weight. A turn is worth
 * an amount of work; a group whose entry was larger than its turn sits out the turns that it used up. Entries of one
 * tenant keep their order. Pushing and shifting take the same time however long the queue is.
 */

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
  entries: Entry[]
  /** Entries before it have left. */
  head: number
  readonly weight: number
  /** Of smooth weighted round-robin: the queue with the most credit goes next and pays the sum of all weights. */
  credit: number
}

interface Group<Entry> {
  readonly id: number
  /** By tenant, those with entries. */
  readonly queues: Map<number, TenantQueue<Entry>>
  /** The queue whose entry leaves next, once that has been asked; it stays the same until the entry leaves. */
  next: TenantQueue<Entry> | null
  /** Work that is left of the group's turn; of deficit round-robin. Below 0 it was served ahead of its turns. */
  left: number
}

export class FairQueue<Entry> {
  readonly #rules: FairRules<Entry>
  /** Those with entries or with work to make up for; the one whose turn it is comes first. */
  readonly #groups = new Map<number, Group<Entry>>()
  #length = 0

  constructor(rules: FairRules<Entry>) {
    this.#rules = rules
  }

  get length(): number {
    return this.#length
  }

  push(entry: Entry): void {
    const { tenantOf, groupOf, weightOf, turnOf } = this.#rules
    const tenant = tenantOf(entry)
    const id = groupOf(tenant)
    let group = this.#groups.get(id)
    if (group === undefined) {
      group = { id, queues: new Map(), next: null, left: turnOf(id) }
      this.#groups.set(id, group)
    }
    const queue = group.queues.get(tenant)
    if (queue !== undefined) queue.entries.push(entry)
    else group.queues.set(tenant, { tenant, entries: [entry], head: 0, weight: weightOf(tenant), credit: 0 })
    this.#length += 1
  }

  /** The entry that leaves next; undefined when the queue is empty. */
  get first(): Entry | undefined {
    const group = this.#next()
    if (group === undefined) return undefined
    const queue = nextQueue(group)
    return queue.entries[queue.head]
  }

  /** Removes the first entry; once the turn of its group is used up, the next group has its turn. */
  shift(): void {
    const group = this.#next()
    if (group === undefined) return
    const queue = nextQueue(group)
    group.left -= this.#rules.costOf(queue.entries[queue.head] as Entry)
    group.next = null
    queue.head += 1
    this.#length -= 1
    if (queue.head === queue.entries.length) group.queues.delete(queue.tenant)
    else if (queue.head > 1_000 && queue.head * 2 > queue.entries.length) {
      queue.entries = queue.entries.slice(queue.head)
      queue.head = 0
    }
    if (this.#length === 0) this.#groups.clear()
    else if (group.left <= 0 || group.queues.size === 0) this.#endTurn(group)
  }

  /** Empties the queue and returns what was in it. */
  clear(): readonly Entry[] {
    const rest = [...this.#groups.values()].flatMap(({ queues }) =>
      [...queues.values()].flatMap(({ entries, head }) => entries.slice(head)),
    )
    this.#groups.clear()
    this.#length = 0
    return rest
  }

  /** The group whose turn it is; undefined when the queue is empty. */
  #next(): Group<Entry> | undefined {
    if (this.#length === 0) return undefined
    for (;;) {
      const group = this.#groups.values().next().value as Group<Entry>
      if (group.left > 0 && group.queues.size > 0) return group
      this.#endTurn(group)
    }
  }

  #endTurn(group: Group<Entry>): void {
    this.#groups.delete(group.id)
    if (group.queues.size === 0 && group.left >= 0) return
    const turn = this.#rules.turnOf(group.id)
    group.left = Math.min(turn, group.left + turn)
    this.#groups.set(group.id, group)
  }
}

function nextQueue<Entry>(group: Group<Entry>): TenantQueue<Entry> {
  if (group.next !== null) return group.next
  if (group.queues.size === 1) return group.queues.values().next().value as TenantQueue<Entry>
  const queues = [...group.queues.values()]
  const sum = queues.reduce((all, { weight }) => all + weight, 0)
  for (const queue of queues) queue.credit += queue.weight
  const next = queues.reduce((best, queue) => (queue.credit > best.credit ? queue : best))
  next.credit -= sum
  group.next = next
  return next
}
