/** Numbers that stand for all with the same leading digits, to try what would happen to a message there. */
import metadata from 'libphonenumber-js/min/metadata'
import examples from 'libphonenumber-js/mobile/examples'
import type { Country } from './country.ts'
import { callingCodeOf, type Phone } from './phone.ts'

/** A mobile number of each country; of those that share a calling code, the main country comes first. */
const BY_COUNTRY: ReadonlyMap<Country, Phone> = new Map(
  Object.entries(metadata.country_calling_codes).flatMap(([code, countries]) =>
    countries.flatMap((country): readonly [Country, Phone][] =>
      country in examples ? [[country, `${code}${examples[country]}` as Phone]] : [],
    ),
  ),
)
const OF_COUNTRIES = [...BY_COUNTRY.values()]

const USUAL_DIGITS = 11

/** Returns a mobile number of the country; null if it has none. */
export function exampleOfCountry(country: Country): Phone | null {
  return BY_COUNTRY.get(country) ?? null
}

/** Returns numbers that begin with these digits: mobile ones of countries if there are any, otherwise a made one. */
export function exampleNumbers(prefix: string): readonly Phone[] {
  const found = OF_COUNTRIES.filter((number) => number.startsWith(prefix))
  if (found.length > 0) return found
  const code = callingCodeOf(prefix)
  const like = code === '' ? undefined : OF_COUNTRIES.find((number) => number.startsWith(code))
  return [`${prefix}${(like ?? '').padEnd(USUAL_DIGITS, '0').slice(prefix.length)}` as Phone]
}
