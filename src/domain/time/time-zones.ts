/**
 * The time zones of countries, as Node knows them: several if clocks in a country differ, the most populous first. See
 * docs/decisions/0011.
 */
import type { Country } from '../numbers/country.ts'
import { offsetAt } from './local-time.ts'

/** Countries that have numbers and no zones of their own in the IANA time zone database: the zone with their clocks. */
const WITHOUT_ZONES: ReadonlyMap<string, readonly string[]> = new Map([
  ['AC', ['Africa/Abidjan']],
  ['TA', ['Africa/Abidjan']],
  ['XK', ['Europe/Belgrade']],
])

/** The most populous zone, where the first one of the alphabet has other clocks. */
const MAIN_ZONES: ReadonlyMap<string, string> = new Map([
  ['AU', 'Australia/Sydney'],
  ['BR', 'America/Sao_Paulo'],
  ['CA', 'America/Toronto'],
  ['CL', 'America/Santiago'],
  ['FM', 'Pacific/Chuuk'],
  ['GL', 'America/Nuuk'],
  ['KI', 'Pacific/Tarawa'],
  ['MN', 'Asia/Ulaanbaatar'],
  ['PF', 'Pacific/Tahiti'],
  ['PG', 'Pacific/Port_Moresby'],
  ['PT', 'Europe/Lisbon'],
  ['RU', 'Europe/Moscow'],
  ['US', 'America/New_York'],
])

/** Clocks that agree in the middle of each season of these years are the same. */
const SEASONS = Array.from({ length: 11 * 4 }, (_, season) => Date.UTC(2025, 3 * season, 15))

const known = new Map<Country, readonly string[]>()

/** Empty for a country that is not known. The first call for a country takes milliseconds. */
export function zonesOf(country: Country): readonly string[] {
  const zones = known.get(country) ?? WITHOUT_ZONES.get(country) ?? withDifferentClocks(country)
  known.set(country, zones)
  return zones
}

/** TypeScript does not know the method yet. */
interface LocaleWithZones extends Intl.Locale {
  readonly getTimeZones: () => readonly string[] | undefined
}

function withDifferentClocks(country: Country): readonly string[] {
  const zones = (new Intl.Locale(`und-${country}`) as LocaleWithZones).getTimeZones() ?? []
  const main = MAIN_ZONES.get(country)
  const byClocks = Map.groupBy(main === undefined ? zones : [main, ...zones], (zone) =>
    SEASONS.map((at) => offsetAt(zone, at)).join(),
  )
  return [...byClocks.values()].flatMap(([first = '']) => first)
}
