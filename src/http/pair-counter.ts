/**
 * A counter with two labels for events of every message. Counting takes two look-ups; prom-client, which writes out and
 * checks the labels of each increment, gets the sums when the metrics are read.
 */
import { Counter, type Registry } from 'prom-client'

export class PairCounter {
  readonly #counts = new Map<string, Map<string, number>>()

  constructor(
    registry: Registry,
    config: { readonly name: string; readonly help: string; readonly labelNames: readonly [string, string] },
  ) {
    const [first, second] = config.labelNames
    const take = () => this.#take()
    new Counter({
      ...config,
      registers: [registry],
      collect() {
        for (const [values, count] of take()) this.inc({ [first]: values[0], [second]: values[1] }, count)
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

  /** Returns what was counted since the last call. */
  #take(): readonly (readonly [values: readonly [string, string], count: number])[] {
    const taken = [...this.#counts].flatMap(([first, counts]) =>
      [...counts].map(([second, count]) => [[first, second], count] as const),
    )
    this.#counts.clear()
    return taken
  }
}
