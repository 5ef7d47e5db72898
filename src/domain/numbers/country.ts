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
  const plan = Object.entries(metadata.countries).find(([code]) => code === country)?.[1] as
    | readonly unknown[]
    | undefined
  const leading = plan?.[10]
  if (typeof leading === 'string') return [new RegExp(`^(?:${leading})`)]
  const types = (plan?.[11] ?? []) as readonly (readonly [pattern: string] | 0)[]
  return types.flatMap((type) => (type === 0 || type[0] === '' ? [] : [new RegExp(`^(?:${type[0]})$`)]))
}
