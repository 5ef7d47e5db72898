/** The numbers that rates distinguish: what to ask for to see all that differs between two tariffs. */
import { countryOfPrefix, hasCodeOf } from '../numbers/country.ts'
import { countryOfMcc } from '../numbers/mobile-country.ts'
import type { Rate } from './rate.ts'

const MCC_DIGITS = 3

/**
 * Returns, for rates of one channel, prefixes without an operator, and with each operator those of its own rates and
 * those of every operator that numbers of its country can begin with. Any number costs what one of these does.
 */
export function* distinctNumbers(rates: Iterable<Pick<Rate, 'prefix' | 'operator'>>) {
  const ofAll = new Set<string>()
  const ofOperator = new Map<string, Set<string>>()
  for (const { prefix, operator } of rates) {
    if (operator === null) ofAll.add(prefix)
    else ofOperator.set(operator, (ofOperator.get(operator) ?? new Set()).add(prefix))
  }
  for (const prefix of ofAll) yield { prefix, operator: null }
  for (const [operator, own] of ofOperator) {
    for (const prefix of own) yield { prefix, operator }
    for (const prefix of ofAll) if (!own.has(prefix) && mayBeginWith(operator, prefix)) yield { prefix, operator }
  }
}

/** What is not known of either may be. */
function mayBeginWith(operator: string, prefix: string): boolean {
  const [country, other] = [countryOfMcc(operator.slice(0, MCC_DIGITS)), countryOfPrefix(prefix)]
  return country === null || other === null || hasCodeOf(country, other)
}
