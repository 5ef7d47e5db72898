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
  const code = callingCodeOf(digits)
  return LENGTHS.get(code)?.has(digits.length - code.length) === true
}

/** The code that a number begins with: of one country, of several or of none (`870`). Empty for what is no number. */
export function callingCodeOf(digits: string): string {
  for (let length = 1; length <= 3; length += 1) {
    const code = digits.slice(0, length)
    if (LENGTHS.has(code)) return code
  }
  return ''
}

/**
 * Calling code → possible lengths of the number after it. Where countries share a code, the first in the metadata is the
 * one whose plan counts for all. Codes of no country, such as 800 and 870, have plans of their own.
 */
const LENGTHS: ReadonlyMap<string, ReadonlySet<number>> = new Map([
  ...Object.entries(metadata.country_calling_codes).map(
    ([code, [main]]) => [code, lengthsOf(main && metadata.countries[main])] as const,
  ),
  ...Object.entries(metadata.nonGeographic).map(([code, plan]) => [code, lengthsOf(plan)] as const),
])

/** In the metadata, entry 3 of a numbering plan lists the possible lengths. */
function lengthsOf(plan: unknown): ReadonlySet<number> {
  return new Set((plan as readonly [unknown, unknown, unknown, readonly number[]] | undefined)?.[3] ?? [])
}
