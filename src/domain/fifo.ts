/** A first-in, first-out queue. Adding and removing take the same time however long it is. */

/** Removed places at the front that are kept until they are the larger part. */
const MAX_REMOVED = 1_000

export class Fifo<Item> implements Iterable<Item> {
  /** Places before the head are empty, so that what has left can be collected. */
  #items: (Item | undefined)[] = []
  /** Items before it have left. */
  #head = 0

  get length(): number {
    return this.#items.length - this.#head
  }

  get first(): Item | undefined {
    return this.#items[this.#head]
  }

  push(item: Item): void {
    this.#items.push(item)
  }

  /** Adds the item before the first one that the condition finds, otherwise at the end. */
  insertBefore(item: Item, isLater: (other: Item) => boolean): void {
    let place = this.#head
    while (place < this.#items.length && !isLater(this.#items[place] as Item)) place += 1
    this.#items.splice(place, 0, item)
  }

  shift(): Item | undefined {
    const { first } = this
    if (this.#head === this.#items.length) return undefined
    this.#items[this.#head] = undefined
    this.#head += 1
    if (this.#head === this.#items.length) this.#reset([])
    else if (this.#head > MAX_REMOVED && this.#head * 2 > this.#items.length) this.#reset([...this])
    return first
  }

  /** Removes and returns the items that fulfil the condition. */
  remove(isRemoved: (item: Item) => boolean): readonly Item[] {
    const removed: Item[] = []
    const kept: Item[] = []
    for (const item of this) (isRemoved(item) ? removed : kept).push(item)
    if (removed.length > 0) this.#reset(kept)
    return removed
  }

  [Symbol.iterator](): Iterator<Item> {
    return (this.#items.slice(this.#head) as Item[])[Symbol.iterator]()
  }

  #reset(items: Item[]): void {
    this.#items = items
    this.#head = 0
  }
}
