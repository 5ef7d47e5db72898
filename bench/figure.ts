/** Figures of benchmarks beside what they are to be, and the table of them. */
import { median } from './child.ts'

export interface Figure {
  readonly benchmark: string
  readonly comparedWith: string
  /** One for each round. */
  readonly rounds: readonly number[]
  /** Behind the number; none for a ratio. */
  readonly unit?: string
  readonly must: number
  readonly aim: number
  /** Whether less is better. */
  readonly lessIsBetter?: boolean
  /** Absolute numbers and how they came about. */
  readonly detail: string
}

const HEADINGS = ['benchmark', 'median (rounds)', 'compared with', 'must', 'aim', 'result', 'detail']

/** Returns a Markdown table. */
export function formatTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { rounds, unit = '', lessIsBetter = false } = figure
    const value = median(rounds)
    const bound = lessIsBetter ? '≤ ' : '≥ '
    return [
      figure.benchmark,
      `${number(value)}${unit} (${number(Math.min(...rounds))} to ${number(Math.max(...rounds))})`,
      figure.comparedWith,
      `${bound}${number(figure.must)}${unit}`,
      `${bound}${number(figure.aim)}${unit}`,
      verdictOf(figure, value),
      figure.detail,
    ]
  })
  return [HEADINGS, HEADINGS.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function verdictOf({ must, aim, lessIsBetter = false }: Figure, value: number): string {
  const holds = (bound: number) => (lessIsBetter ? value <= bound : value >= bound)
  if (holds(aim)) return 'aim held'
  return holds(must) ? 'held' : '**missed**'
}

function number(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toFixed(2)
}

/** `median per second (lowest to highest)`. */
export function perSecond(rates: readonly number[]): string {
  return `${rounded(median(rates))}/s (${rounded(Math.min(...rates))} to ${rounded(Math.max(...rates))})`
}

function rounded(value: number): string {
  return Math.round(value).toLocaleString('en')
}

/** Ratios of two series, round by round. */
export function ratios(series: readonly number[], others: readonly number[]): number[] {
  return series.map((value, round) => value / (others[round] ?? Number.NaN))
}
