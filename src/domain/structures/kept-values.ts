/**
 * Values that are cheaper to keep than to find again, bounded: in two halves, of which the older one is dropped when
 * the newer one is full. What is asked for stays.
 */
export class KeptValues<Key, Value extends NonNullable<unknown>> {
  readonly #maxOfHalf: number
  #recent = new Map<Key, Value>()
  #former = new Map<Key, Value>()

  constructor(max: number) {
    this.#maxOfHalf = Math.ceil(max / 2)
  }

  get(key: Key): Value | undefined {
    const recent = this.#recent.get(key)
    if (recent !== undefined) return recent
    const former = this.#former.get(key)
    if (former !== undefined) this.set(key, former)
    return former
  }

  set(key: Key, value: Value): void {
    if (this.#recent.size >= this.#maxOfHalf) {
      this.#former = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(key, value)
  }
}
