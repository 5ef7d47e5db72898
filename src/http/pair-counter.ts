/**
 * A counter with two labels for events of every message. Counting takes two look-ups; the library, which writes out and
 * checks the labels of each increment, gets the sums when the metrics are read.
 */
import { Counter, type Registry } from '@prometheus-io/client'

/** A count with the values of the two labels. */
export type PairCount = readonly [first: string, second: string, count: number]

export class PairCounter {
  readonly #counts = new Map<string, Map<string, number>>()

  constructor(
    registry: Registry,
    config: { readonly name: string; readonly help: string; readonly labelNames: readonly [string, string] },
  ) {
    const [first, second] = config.labelNames
    const totals = () => this.totals()
    new Counter({
      ...config,
      registers: [registry],
      collect() {
        this.reset()
        for (const [one, other, count] of totals()) this.inc({ [first]: one, [second]: other }, count)
      },
    })
  }

  /** Counts an event with these values of the two labels. */
  count(first: string, second: string): void {
    let counts = this.#counts.get(first)
    if (counts === undefined) {
      counts = new Map()
      this.#counts.set(first, counts)
    }
    counts.set(second, (counts.get(second) ?? 0) + 1)
  }

  /** Returns what was counted since the start. */
  totals(): readonly PairCount[] {
    return [...this.#counts].flatMap(([first, counts]) =>
      [...counts].map(([second, count]): PairCount => [first, second, count]),
    )
  }
}
