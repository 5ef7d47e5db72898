/** Reads `/metrics` of a gateway as Prometheus does. */

export interface Scraped {
  /** Type of each metric by its name: `counter`, `gauge`, `histogram`, `summary`. */
  readonly types: ReadonlyMap<string, string>
  /** Values by name and labels, as written. */
  readonly values: ReadonlyMap<string, number>
}

export async function scrape(adminAddress: string): Promise<Scraped> {
  const lines = (await (await fetch(`${adminAddress}/metrics`)).text()).split('\n')
  const types = lines.flatMap((line) => /^# TYPE (\S+) (\S+)$/.exec(line)?.slice(1) ?? [])
  const samples = lines.filter((line) => line !== '' && !line.startsWith('#'))
  return {
    types: new Map(types.flatMap((name, index) => (index % 2 === 0 ? [[name, types[index + 1] ?? ''] as const] : []))),
    values: new Map(samples.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))])),
  }
}

/** Returns the values of the series that start with this name, by what follows it. */
export function seriesOf({ values }: Scraped, name: string): Readonly<Record<string, number>> {
  const found = [...values].filter(([series]) => series === name || series.startsWith(`${name}{`))
  return Object.fromEntries(found.map(([series, value]) => [series.slice(name.length), value]))
}
