/** A map whose entries expire, with a maximum size: the oldest entries go first. */
import type { Clock } from '../ports/clock.ts'

export class RecentMap<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly endsAt: number }>()
  /** Kept, because a new iterator passes by all that was removed before the oldest entry: half a microsecond. */
  readonly #oldest = this.#entries.keys()
  readonly #clock: Clock
  readonly #max: number

  constructor(clock: Clock, max: number) {
    this.#clock = clock
    this.#max = max
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || this.#clock.monotonic() < entry.endsAt) return entry?.value
    this.#entries.delete(key)
    return undefined
  }

  /** @param until milliseconds since 1970, by the clock as it is now: later changes of the clock have no effect. */
  set(key: string, value: Value, until: number): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, endsAt: this.#clock.monotonic() + until - this.#clock.now() })
    if (this.#entries.size > this.#max) this.#entries.delete(this.#oldest.next().value ?? '')
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}
