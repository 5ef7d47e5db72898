/** Filters of all lists of rates: for which numbers they are, and when they are valid. */
import Type, { type TSchema } from 'typebox'
import { isValid, type Rate, VALIDITY_STATES, type ValidityState, validityState } from '../../../domain/money/rate.ts'
import { type Country, countryOfPrefix } from '../../../domain/numbers/country.ts'
import { findCountries } from '../../../domain/numbers/country-name.ts'
import { countryOfMcc } from '../../../domain/numbers/mobile-country.ts'
import { operatorNames } from '../../../domain/numbers/operator-table.ts'
import { filterInSlices } from '../../../ports/system/slices.ts'
import { pageOf, readTimeField, whole } from '../fields/shapes.ts'
import { type PageInput, takePage } from '../fields/take-page.ts'

export const VALIDITY_FILTER = Type.Optional(
  Type.Enum([...VALIDITY_STATES], { description: 'only those that are over, valid now or planned' }),
)

/** Query fields. */
export const RATE_FILTERS = {
  valid_at: Type.Optional(
    Type.String({
      description: 'only those that are valid at this day or time (RFC 3339); now stands for the present',
    }),
  ),
  state: VALIDITY_FILTER,
  search: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'leading digits of a prefix or of MCC and MNC, a country (its code or the beginning of its name), or a part of the name of an operator',
    }),
  ),
}

interface RateFilters {
  readonly valid_at?: string
  readonly state?: ValidityState
  readonly search?: string
}

export interface RateFacts<T> {
  /** The text of an OperatorTable. */
  readonly operators: string
  readonly now: number
  /** Names that a rate has besides its operator; null for none. */
  readonly namesOf?: (rate: T) => readonly (string | null)[]
}

/** Returns the rates that pass all filters. Throws FieldRefused. */
export async function filterRates<T extends Rate>(
  rates: readonly T[],
  { valid_at: validAt, state, search = '' }: RateFilters,
  { operators, now, namesOf = () => [] }: RateFacts<T>,
): Promise<readonly T[]> {
  const at = validAt === undefined || validAt === 'now' ? now : readTimeField<never>('valid_at', validAt)
  const isFound = searching(search, operators)
  return await filterInSlices(
    rates,
    (rate) =>
      (validAt === undefined || isValid(rate, at)) &&
      (state === undefined || validityState(rate, now) === state) &&
      isFound(rate, namesOf(rate)),
  )
}

/** Returns one page of the rates that pass all filters, converted by `view`, and their number. Throws FieldRefused. */
export async function takeRates<T extends Rate, View>(
  rates: readonly T[],
  input: RateFilters & PageInput,
  facts: RateFacts<T>,
  view: (rate: T) => View,
) {
  const found = await filterRates(rates, input, facts)
  return { ...takePage(found, input, view), count: found.length }
}

type Numbers = Pick<Rate, 'prefix' | 'operator'>

function searching(search: string, operators: string): (rate: Numbers, names: readonly (string | null)[]) => boolean {
  const digits = search.replace(/^\s*00|[\s+-]/g, '')
  if (/^\d*$/.test(digits)) {
    return ({ prefix, operator }) => prefix.startsWith(digits) || operator?.startsWith(digits) === true
  }
  const wanted = search.trim().toLowerCase()
  const countries = findCountries(search)
  const nameOf = operatorNames(operators)
  return (rate, names) =>
    (countries.size > 0 && countries.has(countryOfNumbers(rate) ?? '')) ||
    [...names, nameOf.get(rate.operator ?? '')].some((name) => name?.toLowerCase().includes(wanted) === true)
}

const MCC_DIGITS = 3

/** Returns the country of the numbers of a rate; null if they are of several. */
export function countryOfNumbers({ prefix, operator }: Numbers): Country | null {
  return operator === null ? countryOfPrefix(prefix) : countryOfMcc(operator.slice(0, MCC_DIGITS))
}

/** What `takeRates` returns. */
export function ratePageOf<S extends TSchema>(schema: S) {
  return Type.Object({ ...pageOf(schema).properties, count: whole({ description: 'rates on all pages' }) })
}
