/** A board of Grafana, as far as ours differ from each other. */

export interface Panel {
  readonly title: string
  /** What an operator reads from it. */
  readonly about: string
  /** Grafana's name of a unit: `s`, `reqps`, `percentunit`, `short` … */
  readonly unit: string
  /** Legend to expression. `{{label}}` in a legend is the value of a label. Expressions get the job from the board. */
  readonly lines: Readonly<Record<string, string>>
  readonly max?: number
  /** It may be below zero. */
  readonly isSigned?: true
}

export interface Board {
  /** Part of the file name and of Grafana's identifier. */
  readonly name: string
  readonly title: string
  readonly about: string
  readonly panels: readonly Panel[]
  /** A variable that selects values of a label: all by default. */
  readonly select?: { readonly label: string; readonly from: string }
}

/** Returns lines with quantiles of a histogram by labels. */
export function quantiles(histogram: string, by: string, shares: readonly number[]): Readonly<Record<string, string>> {
  const [name, matchers = ''] = histogram.split(/(?=\{)/)
  return Object.fromEntries(
    shares.map((share) => [
      `p${share * 100} ${by === '' ? '' : `{{${by}}}`}`.trim(),
      `histogram_quantile(${share}, sum by (le${by === '' ? '' : `, ${by}`}) (rate(${name}_bucket${matchers}[$__rate_interval])))`,
    ]),
  )
}

/** Returns the sum of the rates of counters by a label. */
export function rates(counter: string, by: string): string {
  return `sum by (${by}) (rate(${counter}[$__rate_interval]))`
}
