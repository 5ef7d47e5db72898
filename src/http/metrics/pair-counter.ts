/**
 * A counter with two labels for events of every message. Counting takes two look-ups; the library, which writes out and
 * checks the labels of each increment, gets the sums when the metrics are read.
 */
import { Counter, type Registry } from '@prometheus-io/client'
import { LabelPairs } from './label-pairs.ts'

/** A count with the values of the two labels. */
export type PairCount = readonly [first: string, second: string, count: number]

export class PairCounter {
  readonly #sums = new LabelPairs(() => ({ sum: 0 }))

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

  /** Counts an event with these values of the two labels, or an amount. */
  count(first: string, second: string, amount = 1): void {
    this.#sums.of(first, second).sum += amount
  }

  /** Returns what was counted since the start. */
  totals(): readonly PairCount[] {
    return this.#sums.all().map(([first, second, { sum }]) => [first, second, sum])
  }
}
