/** What a gateway exposes: each series name with its labels, for checks of what reads it. */
import { readFileSync } from 'node:fs'
import type { Scraped } from './scrape.ts'

/** What Prometheus adds to every series. */
export const TARGET_LABELS = ['job', 'instance']

const PAGE = 'docs/operations/metrics.md'

export interface DocumentedMetric {
  readonly name: string
  readonly type: string
  readonly labels: readonly string[]
}

/** Returns the rows of the page of metrics. */
export function documentedMetrics(): readonly DocumentedMetric[] {
  const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| `(posthorn_\w+)` \| (\w+) \|([^|]*)\|/gm)
  return [...rows].map(([, name = '', type = '', labels = '']) => ({
    ...{ name, type },
    labels: [...labels.matchAll(/`(\w+)`/g)].flatMap(([, label]) => label ?? []).toSorted(),
  }))
}

/** Returns the labels of each series name in a scrape. */
export function labelsInScrape({ values }: Scraped): ReadonlyMap<string, readonly string[]> {
  const labels = new Map<string, ReadonlySet<string>>()
  for (const series of values.keys()) {
    const [name = ''] = series.split('{')
    const found = [...series.matchAll(/[{,](\w+)="/g)].flatMap(([, label]) => label ?? [])
    labels.set(name, new Set([...(labels.get(name) ?? []), ...found]))
  }
  return new Map([...labels].map(([name, found]) => [name, [...found].toSorted()]))
}

/** Returns the labels of each series of a gateway: as scraped, or as documented of metrics that counted nothing yet. */
export function seriesLabels(scraped: Scraped): ReadonlyMap<string, readonly string[]> {
  const documented = documentedMetrics().flatMap(({ name, type, labels }) =>
    type === 'histogram'
      ? [
          ...['_sum', '_count'].map((end) => [name + end, labels] as const),
          [`${name}_bucket`, [...labels, 'le']] as const,
        ]
      : [[name, labels] as const],
  )
  return new Map([['up', []], ...documented, ...labelsInScrape(scraped)])
}
