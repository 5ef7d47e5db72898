/**
 * A first-in, first-out queue. Adding and removing take the same time however long it is, and it takes no new memory
 * while it is about as long as before.
 */

/** Places that an empty queue may have; it is a power of two, as is every number of places. */
const FEW_PLACES = 64

export class Fifo<Item> implements Iterable<Item> {
  /** A ring. Places without an item are empty, so that what has left can be collected. */
  #places: (Item | undefined)[] = []
  /** Of the first item. */
  #head = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  get first(): Item | undefined {
    return this.#places[this.#head]
  }

  push(item: Item): void {
    if (this.#length === this.#places.length) this.#resize(Math.max(4, this.#length * 2))
    this.#places[(this.#head + this.#length) & (this.#places.length - 1)] = item
    this.#length += 1
  }

  /** Adds the item before the first one that the condition finds, otherwise at the end. */
  insertBefore(item: Item, isLater: (other: Item) => boolean): void {
    const items = [...this]
    const place = items.findIndex(isLater)
    items.splice(place === -1 ? items.length : place, 0, item)
    this.#refill(items)
  }

  shift(): Item | undefined {
    if (this.#length === 0) return undefined
    const { first } = this
    this.#places[this.#head] = undefined
    this.#head = (this.#head + 1) & (this.#places.length - 1)
    this.#length -= 1
    if (this.#length < this.#places.length / 4 && this.#places.length > FEW_PLACES) {
      this.#resize(this.#places.length / 2)
    }
    return first
  }

  /** Removes and returns the items that fulfil the condition. */
  remove(isRemoved: (item: Item) => boolean): readonly Item[] {
    const removed: Item[] = []
    const kept: Item[] = []
    for (const item of this) (isRemoved(item) ? removed : kept).push(item)
    if (removed.length > 0) this.#refill(kept)
    return removed
  }

  [Symbol.iterator](): Iterator<Item> {
    const items = [
      ...this.#places.slice(this.#head, this.#head + this.#length),
      ...this.#places.slice(0, Math.max(0, this.#head + this.#length - this.#places.length)),
    ]
    return (items as Item[])[Symbol.iterator]()
  }

  #refill(items: readonly Item[]): void {
    this.#places = []
    this.#head = 0
    this.#length = 0
    for (const item of items) this.push(item)
  }

  #resize(count: number): void {
    const before = this.#places
    const places = new Array<Item | undefined>(count).fill(undefined)
    for (let index = 0; index < this.#length; index += 1) {
      places[index] = before[(this.#head + index) & (before.length - 1)]
    }
    this.#places = places
    this.#head = 0
  }
}
