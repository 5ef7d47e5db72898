/** A map whose entries expire, with a maximum size: the oldest entries go first. */
import type { Clock } from '../../ports/system/clock.ts'

export class RecentMap<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly endsAt: number }>()
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
    if (this.#entries.size <= this.#max) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}
