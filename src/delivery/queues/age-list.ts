/**
 * A list by age, whose items hold their neighbours: adding and removing takes the same time however long it is, and
 * leaves nothing behind. A Set would leave its tables, and what they refer to (domain/structures/id-map.ts).
 */
export interface Aged<Item> {
  /** Both are kept by the list, and null outside of it. */
  older: Item | null
  newer: Item | null
}

export class AgeList<Item extends Aged<Item>> implements Iterable<Item> {
  #oldest: Item | null = null
  #newest: Item | null = null
  #size = 0

  get size(): number {
    return this.#size
  }

  get oldest(): Item | null {
    return this.#oldest
  }

  /** Adds an item that is in no list as the newest. */
  add(item: Item): void {
    item.older = this.#newest
    if (this.#newest === null) this.#oldest = item
    else this.#newest.newer = item
    this.#newest = item
    this.#size += 1
  }

  /** Of an item that is not in the list, nothing is removed. */
  remove(item: Item): void {
    const { older, newer } = item
    if (older === null && this.#oldest !== item) return
    if (older === null) this.#oldest = newer
    else older.newer = newer
    if (newer === null) this.#newest = older
    else newer.older = older
    item.older = null
    item.newer = null
    this.#size -= 1
  }

  /** Returns at most so many, the oldest first: a list of their own, so that they may be removed while it is read. */
  first(count: number): readonly Item[] {
    const found: Item[] = []
    for (let item = this.#oldest; item !== null && found.length < count; item = item.newer) found.push(item)
    return found
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.first(this.#size)[Symbol.iterator]()
  }
}
