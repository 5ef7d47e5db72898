/** Money in sentences for operators, as in headlines of the console: in coins. */
import type { Amount } from './ledger.ts'

const MICROS = 1_000_000
const ALL_DIGITS = 6

/** Amounts of less than a coin keep their decimals. */
export function writeHeadline({ micros, currency }: Amount): string {
  const coins = digitsOf(currency)
  const isLost = micros !== 0 && Math.abs(micros) < MICROS / 10 ** coins
  const digits = { minimumFractionDigits: coins, maximumFractionDigits: isLost ? ALL_DIGITS : coins }
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency, ...digits }).format(micros / MICROS)
}

/** Writes the sum of each currency, in their order: `€2.50 and US$1.00`. Empty for none. */
export function writeSums(amounts: Iterable<Amount>): string {
  const sums = new Map<string, number>()
  for (const { micros, currency } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + micros)
  const ordered = [...sums].filter(([, micros]) => micros !== 0).sort(([one], [other]) => (one < other ? -1 : 1))
  return ordered
    .map(([currency, micros]) => writeHeadline({ micros: micros as Amount['micros'], currency }))
    .join(' and ')
}

function digitsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
