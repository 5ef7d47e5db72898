/** A map with a maximum size: the oldest entries go first. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #max: number

  constructor(max = 100_000) {
    this.#max = max
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  has(key: Key): boolean {
    return this.#entries.has(key)
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  set(key: Key, value: Value): void {
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#max) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      break
    }
  }
}
