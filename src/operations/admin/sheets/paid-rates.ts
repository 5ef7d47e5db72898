/** What the numbers of a rate pay, by the rates of all lists that apply to them. */
import { type Rate, type RatedNumber, RateTable } from '../../../domain/money/rate.ts'
import { prefixesOfCountry } from '../../../domain/numbers/country.ts'
import { OperatorTable } from '../../../domain/numbers/operator-table.ts'
import type { Phone } from '../../../domain/numbers/phone.ts'
import { SLICE_ITEMS, type SlicedWork } from '../../../ports/system/slices.ts'
import { countryOfNumbers } from '../rates/filter-rates.ts'

type Numbers = Pick<Rate, 'prefix' | 'operator'>

/** Returns the rate of the numbers at a time; null for none. */
export type FindPaid<T extends Rate> = (numbers: Numbers, at: number) => T | null

/** Lists that win come first. `operators` is the text of an OperatorTable. */
export function* findPaid<T extends Rate>(
  lists: readonly (readonly T[])[],
  operators: string,
): SlicedWork<FindPaid<T>> {
  const tables: RateTable<T>[] = []
  for (const list of lists) {
    const table = new RateTable<T>()
    tables.push(table)
    for (const [index, rate] of list.entries()) {
      table.add(rate)
      if (index % SLICE_ITEMS === SLICE_ITEMS - 1) yield
    }
  }
  const numberOf = oneNumberOf(operators)
  return (numbers, at) => {
    const number = numberOf(numbers)
    return tables.reduce<T | null>((found, table) => found ?? table.find(number, at), null)
  }
}

/** Returns the first digits of a number to which a rate applies, and its operator. */
export function oneNumberOf(operators: string): (numbers: Numbers) => RatedNumber {
  const table = new OperatorTable(operators)
  return ({ prefix, operator }) => {
    const digits = operator === null || prefix !== '' ? prefix : digitsOf(table, operator)
    return { phone: digits as Phone, operator }
  }
}

/** Of an operator that the table does not have, those of its country. */
function digitsOf(table: OperatorTable, operator: string): string {
  const country = countryOfNumbers({ prefix: '', operator })
  const ofCountry = () => (country === null ? undefined : prefixesOfCountry(country)?.prefixes[0])
  return table.prefixOf(operator, '' as Phone) ?? ofCountry() ?? ''
}
