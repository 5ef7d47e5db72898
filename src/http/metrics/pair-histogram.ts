/**
 * A histogram with up to two labels for times of every message. An observation takes two look-ups; the library, which
 * writes out and checks the labels of each, gets the sums when the metrics are read.
 */
import { Histogram, type Registry } from '@prometheus-io/client'
import { LabelPairs } from './label-pairs.ts'

interface Tally {
  /** By bucket, and those above the last one. */
  readonly counts: number[]
  sum: number
}

export interface PairHistogramConfig {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[]
}

export class PairHistogram {
  readonly #bounds: readonly number[]
  readonly #tallies: LabelPairs<Tally>

  constructor(registry: Registry, config: PairHistogramConfig) {
    const { buckets } = config
    this.#bounds = buckets
    this.#tallies = new LabelPairs(() => ({ counts: Array<number>(buckets.length + 1).fill(0), sum: 0 }))
    // Without labels there is one tally, which is shown before the first observation.
    if (config.labelNames.length === 0) this.#tallies.of('', '')
    new TalliedHistogram(registry, config, this.#tallies)
  }

  /** Missing labels have no value. */
  observe(value: number, first = '', second = ''): void {
    const tally = this.#tallies.of(first, second)
    let bucket = 0
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] as number)) bucket += 1
    tally.counts[bucket] = (tally.counts[bucket] as number) + 1
    tally.sum += value
  }
}

type Values = Awaited<ReturnType<Histogram<string>['get']>>

/** What the registry reads. */
class TalliedHistogram extends Histogram<string> {
  readonly #config: PairHistogramConfig
  readonly #tallies: LabelPairs<Tally>

  constructor(registry: Registry, config: PairHistogramConfig, tallies: LabelPairs<Tally>) {
    super({ ...config, buckets: [...config.buckets], registers: [registry] })
    this.#config = config
    this.#tallies = tallies
  }

  override async get(): Promise<Values> {
    const { name, help } = this.#config
    const values = this.#tallies.all().flatMap((each) => this.#valuesOf(each))
    return { name, help, type: 'histogram', aggregator: 'sum', collect: () => {}, values }
  }

  /** The library writes the text from this, and JSON from `get`. */
  getForPromString(): Promise<Values> {
    return this.get()
  }

  #valuesOf([first, second, { counts, sum }]: readonly [string, string, Tally]): Values['values'] {
    const { name, buckets, labelNames } = this.#config
    const [one, other] = labelNames
    const labels = {
      ...(one === undefined ? {} : { [one]: first }),
      ...(other === undefined ? {} : { [other]: second }),
    }
    let count = 0
    const cumulated = counts.map((each, index) => {
      count += each
      return { labels: { le: buckets[index] ?? '+Inf', ...labels }, value: count, metricName: `${name}_bucket` }
    })
    return [
      ...cumulated,
      { labels, value: sum, metricName: `${name}_sum` },
      { labels, value: count, metricName: `${name}_count` },
    ]
  }
}
