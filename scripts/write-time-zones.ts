/**
 * Writes src/domain/time/time-zones.ts: the time zones of each country, from the file zone.tab of the IANA time zone
 * database (public domain). Zones of a country whose clocks show the same in the years looked at are one; the first is
 * the one that most people live in.
 *
 *   node scripts/write-time-zones.ts /usr/share/zoneinfo
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import metadata from 'libphonenumber-js/min/metadata'

const FROM = Date.UTC(2025, 0, 1)
const TO = Date.UTC(2031, 0, 1)
const STEP_MS = 6 * 3_600_000

/** Countries that have numbers and no line of their own in zone.tab. */
const MISSING: Readonly<Record<string, string>> = {
  AC: 'Africa/Abidjan',
  TA: 'Africa/Abidjan',
  XK: 'Europe/Belgrade',
}

/** Where zone.tab does not begin with the zone that most people live in. */
const MAIN: Readonly<Record<string, string>> = {
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kyiv',
}

const folder = process.argv[2]
if (folder === undefined) throw new Error('say where zone.tab is')
const version = /# version (\S+)/.exec(readFileSync(join(folder, 'tzdata.zi'), 'utf8'))?.[1] ?? 'unknown'

const zones = new Map<string, string[]>(Object.entries(MISSING).map(([country, zone]) => [country, [zone]]))
for (const line of readFileSync(join(folder, 'zone.tab'), 'utf8').split('\n')) {
  const [country = '', , zone] = line.split('\t')
  if (line.startsWith('#') || zone === undefined) continue
  zones.set(country, [...(zones.get(country) ?? []), zone])
}

const lines = Object.keys(metadata.countries)
  .sort()
  .map((country) => {
    const inTable = zones.get(country)
    if (inTable === undefined) throw new Error(`no zone for ${country}`)
    const listed = [...new Set([MAIN[country] ?? inTable[0] ?? '', ...inTable])]
    const known = new Set<string>()
    const different = listed.filter((zone) => {
      const times = timesOf(zone)
      return !known.has(times) && known.add(times)
    })
    return `${country} ${different.join(' ')}`
  })

writeFileSync(
  join(import.meta.dirname, '../src/domain/time/time-zones.ts'),
  `/**
 * The time zones of countries: several if clocks in a country differ, the most populous first. Written by
 * scripts/write-time-zones.ts from the IANA time zone database ${version} (public domain), see docs/decisions/0011.
 */
import type { Country } from './country.ts'

/** Empty for a country that is not known. */
export function zonesOf(country: Country): readonly string[] {
  return ZONES.get(country) ?? []
}

const ZONES: ReadonlyMap<Country, readonly string[]> = new Map(
  \`
${lines.join('\n')}
\`
    .trim()
    .split('\\n')
    .map((line) => [line.slice(0, 2), line.slice(3).split(' ')]),
)
`,
)

/** What its clocks show, over all the years looked at. */
function timesOf(zone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  const times: string[] = []
  for (let at = FROM; at < TO; at += STEP_MS) times.push(format.format(at))
  return times.join()
}
