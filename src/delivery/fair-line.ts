/**
 * A line in which nobody waits for the crowd of somebody else: all who have entries in it take turns, one entry each, and
 * everybody's own entries keep their order. Joining and leaving take the same time however long it is.
 */

interface Crowd<Entry> {
  entries: Entry[]
  /** Entries before it have left. */
  head: number
}

export class FairLine<Entry extends { readonly party: number }> {
  /** By party; the one whose turn it is comes first. */
  readonly #crowds = new Map<number, Crowd<Entry>>()
  #length = 0

  get length(): number {
    return this.#length
  }

  push(entry: Entry): void {
    const crowd = this.#crowds.get(entry.party)
    if (crowd === undefined) this.#crowds.set(entry.party, { entries: [entry], head: 0 })
    else crowd.entries.push(entry)
    this.#length += 1
  }

  /** Who leaves next; undefined when the line is empty. */
  get first(): Entry | undefined {
    const [crowd] = this.#crowds.values()
    return crowd?.entries[crowd.head]
  }

  /** The first leaves, and the turn goes to the next party. */
  shift(): void {
    const [next] = this.#crowds
    if (next === undefined) return
    const [party, crowd] = next
    crowd.head += 1
    this.#length -= 1
    const isEmpty = crowd.head === crowd.entries.length
    if (crowd.head > 1_000 && crowd.head * 2 > crowd.entries.length) {
      crowd.entries = crowd.entries.slice(crowd.head)
      crowd.head = 0
    }
    if (this.#crowds.size > 1 || isEmpty) this.#crowds.delete(party)
    if (!isEmpty) this.#crowds.set(party, crowd)
  }

  /** Empties the line and hands back what stood in it. */
  clear(): readonly Entry[] {
    const rest = [...this.#crowds.values()].flatMap(({ entries, head }) => entries.slice(head))
    this.#crowds.clear()
    this.#length = 0
    return rest
  }
}
