/**
 * Phone numbers: E.164 digits without the plus. Whether a number is possible is decided by the country code and the
 * lengths that its countries give out, in about a microsecond; whether it is assigned nobody knows but the carriers.
 */
import metadata from 'libphonenumber-js/min/metadata'

declare const phone: unique symbol

/** 7 to 15 digits that begin with a country code. */
export type Phone = string & { readonly [phone]: true }

/** Reads digits with an optional plus, spaces, dashes, dots and brackets; null for a number that cannot exist. */
export function readPhone(text: string): Phone | null {
  if (text.length > 32 || !/^\+?[\d\s().-]+$/.test(text)) return null
  const digits = text.replace(/\D/g, '')
  return isPossible(digits) ? (digits as Phone) : null
}

function isPossible(digits: string): boolean {
  if (digits.length < 7 || digits.length > 15 || digits.startsWith('0')) return false
  for (let length = 1; length <= 3; length += 1) {
    const lengths = LENGTHS.get(digits.slice(0, length))
    if (lengths !== undefined) return lengths.has(digits.length - length)
  }
  return false
}

/** Country calling code → possible lengths of the number after it. In the metadata, entry 3 of a country lists them. */
const LENGTHS: ReadonlyMap<string, ReadonlySet<number>> = new Map(
  Object.entries(metadata.country_calling_codes).map(([code, countries]) => [code, possibleLengths(countries)]),
)

function possibleLengths(countries: readonly string[]): ReadonlySet<number> {
  const all = metadata.countries as unknown as Readonly<Record<string, readonly unknown[]>>
  return new Set(countries.flatMap((country) => (all[country]?.[3] ?? []) as readonly number[]))
}
