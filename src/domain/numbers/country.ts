/**
 * The country of a number: by its calling code and, where countries share one, the digits after it. It is the country
 * that assigned the number, not where the phone is. Source: libphonenumber's metadata.
 */
import metadata from 'libphonenumber-js/min/metadata'
import { callingCodeOf, isUserId, type Phone } from './phone.ts'

/** ISO 3166-1 alpha-2, in capitals; `XK` is Kosovo, `AC` Ascension, `TA` Tristan da Cunha. */
export type Country = string

/** Returns a code that may be written in small letters. */
export function readCountry(code: string): Country {
  return code.toUpperCase()
}

/** Returns whether numbers of this country can exist. */
export function isCountry(code: string): boolean {
  return Object.hasOwn(metadata.countries, code)
}

/** Returns null for numbers of no country, such as satellite numbers, and for codes whose country is ambiguous. */
export function countryOf(phone: Phone): Country | null {
  if (isUserId(phone)) return isCountry(phone.slice(0, 2)) ? phone.slice(0, 2) : null
  const code = callingCodeOf(phone)
  const sharers = SHARERS.get(code)
  if (sharers === undefined) return null
  if (sharers.length === 1) return sharers[0]?.country ?? null
  const national = phone.slice(code.length)
  return sharers.find(({ patterns }) => patterns.some((pattern) => pattern.test(national)))?.country ?? null
}

const NAMES = new Intl.DisplayNames(['en'], { type: 'region' })

/** Returns the English name; null for no country. */
export function countryName(country: Country | null): string | null {
  return country === null ? null : (NAMES.of(country) ?? null)
}

interface Sharer {
  readonly country: Country
  /** Of the digits after the calling code. */
  readonly patterns: readonly RegExp[]
}

const SHARERS: ReadonlyMap<string, readonly Sharer[]> = new Map(
  Object.entries(metadata.country_calling_codes).map(([code, countries]) => [
    code,
    countries.map((country) => ({ country, patterns: countries.length === 1 ? [] : patternsOf(country) })),
  ]),
)

/**
 * In the metadata, entry 10 of a numbering plan has the leading digits that only its own numbers have; without them,
 * entry 11 has a pattern for each type of number.
 */
function patternsOf(country: Country): readonly RegExp[] {
  const leading = leadingDigitsOf(country)
  if (leading !== null) return [new RegExp(`^(?:${leading})`)]
  const types = (planOf(country)[11] ?? []) as readonly (readonly [pattern: string] | 0)[]
  return types.flatMap((type) => (type === 0 || type[0] === '' ? [] : [new RegExp(`^(?:${type[0]})$`)]))
}

function leadingDigitsOf(country: Country): string | null {
  const leading = planOf(country)[10]
  return typeof leading === 'string' ? leading : null
}

function planOf(country: Country): readonly unknown[] {
  return Object.entries(metadata.countries).find(([code]) => code === country)?.[1] ?? []
}

export interface CountryPrefixes {
  /** With the calling code. */
  readonly prefixes: readonly string[]
  /** Other countries whose numbers begin with them. */
  readonly others: readonly Country[]
}

/** Digits after a calling code by which countries differ. */
const MAX_LEADING = 5
/** North America: area codes have three digits, and each is of one country. */
const BY_AREA = { code: '1', first: 200, last: 999, subscriber: '2000000' } as const
/** Digits of a calling code and an area code. */
const AREA_PREFIX = 4

/** Returns whether numbers of both begin with the same calling code. */
export function hasCodeOf(country: Country, other: Country): boolean {
  return codeOfCountry(country) === codeOfCountry(other)
}

/**
 * Returns the prefixes of all numbers of a country; null if nothing distinguishes them from those of others. The main
 * country of a shared code has the whole code: `44` holds for Jersey too, where nothing more exact is set.
 */
export function prefixesOfCountry(country: Country): CountryPrefixes | null {
  const code = codeOfCountry(country)
  if (code === undefined) return null
  const sharers = (SHARERS.get(code) ?? []).map((sharer) => sharer.country)
  if (sharers.length === 1) return { prefixes: [code], others: [] }
  const leading = leadingDigitsOf(country)
  if (leading !== null) {
    const prefixes = leadingPrefixes(new RegExp(`^(?:${leading})`), '').map((digits) => code + digits)
    return { prefixes, others: [] }
  }
  if (sharers[0] === country) return { prefixes: [code], others: sharers.slice(1) }
  return code === BY_AREA.code ? { prefixes: areasOf(country), others: [] } : null
}

/** Returns the country of all numbers with the prefix, or that has most of them; null if that is unclear. */
export function countryOfPrefix(prefix: string): Country | null {
  const [main] = SHARERS.get(prefix) ?? []
  if (main !== undefined) return main.country
  const isArea = prefix.startsWith(BY_AREA.code) && prefix.length === AREA_PREFIX
  return countryOf((isArea ? prefix + BY_AREA.subscriber : prefix) as Phone)
}

/** Returns the area codes of its numbers that are of no service, such as free calls, which countries share. */
function areasOf(country: Country): readonly string[] {
  const { code, first, last, subscriber } = BY_AREA
  const [fixed = ''] = ((planOf(country)[11] ?? []) as readonly (readonly string[])[])[0] ?? []
  const pattern = new RegExp(`^(?:${fixed})$`)
  const areas = Array.from({ length: last - first + 1 }, (_, at) => String(first + at))
  return areas.filter((area) => pattern.test(area + subscriber)).map((area) => code + area)
}

/** Returns the shortest digits whose continuations all match. */
function leadingPrefixes(pattern: RegExp, digits: string): readonly string[] {
  if (pattern.test(digits)) return [digits]
  if (digits.length === MAX_LEADING) return []
  return [...'0123456789'].flatMap((digit) => leadingPrefixes(pattern, digits + digit))
}

function codeOfCountry(country: Country): string | undefined {
  return [...SHARERS].find(([, sharers]) => sharers.some((sharer) => sharer.country === country))?.[0]
}
