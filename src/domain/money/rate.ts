/** Rates: amounts for one part by number prefix, operator and time. Prices and costs are rates. */
import type { Phone } from '../numbers/phone.ts'
import { PrefixTable } from '../numbers/prefix-table.ts'
import { writeMoment } from '../time/moment.ts'
import { type Micros, toMicros } from './money.ts'

/**
 * Of the rates that are valid and match a number, one for its operator wins over one for every operator, and then the
 * longest prefix wins: a ported number belongs to its operator, whatever its digits say.
 */
export interface Rate {
  /** Digits; empty for every number. */
  readonly prefix: string
  /** MCC and MNC, `26201`; null for every operator, including unknown ones. */
  readonly operator: string | null
  /** Milliseconds since 1970, when it becomes valid; null for no beginning. */
  readonly from: number | null
  /** Milliseconds since 1970, when it ceases to be valid; null for no end. */
  readonly until: number | null
  /** For one part. */
  readonly priceMicros: Micros
}

/** The highest rate, 100,000,000: a message of ten parts, and sums of such messages, stay within the range of money. */
export const MAX_RATE = toMicros(100_000_000_000_000)

/** For every operator, at all times. */
export const UNLIMITED = { operator: null, from: null, until: null } as const

/** A number for rate lookup. */
export interface RatedNumber {
  readonly phone: Phone
  /** Null if unknown: then only rates for every operator match. */
  readonly operator: string | null
}

/** Rates examined between two yields. */
const SLICE_RATES = 1_000

/** Calls the function with each; yields after each slice of the work. */
export function* eachInSlices<T>(rates: readonly T[], use: (rate: T) => void): Generator<undefined, void> {
  for (const [index, rate] of rates.entries()) {
    use(rate)
    if (index % SLICE_RATES === SLICE_RATES - 1) yield
  }
}

export class RateTable<T extends Rate> {
  /** By operator; null is every operator. Rates of one operator and prefix are in one list. */
  readonly #tables = new Map<string | null, PrefixTable<T[]>>()

  add(rate: T): void {
    const table = this.#tables.get(rate.operator) ?? new PrefixTable<T[]>()
    const same = table.get(rate.prefix)
    if (same === undefined) table.set(rate.prefix, [rate])
    else same.push(rate)
    this.#tables.set(rate.operator, table)
  }

  /** Returns the rate of a number at a time; null if none matches. */
  find({ phone, operator }: RatedNumber, at: number): T | null {
    const validAt = (rates: readonly T[]) => rates.find((rate) => isValid(rate, at))
    const ofOperator = operator === null ? undefined : this.#tables.get(operator)?.findWhere(phone, validAt)
    return ofOperator ?? this.#tables.get(null)?.findWhere(phone, validAt) ?? null
  }
}

export function isValid({ from, until }: Pick<Rate, 'from' | 'until'>, at: number): boolean {
  return (from === null || from <= at) && (until === null || at < until)
}

/** When a rate, or a membership, is valid: no longer, now, or later. */
export const VALIDITY_STATES = ['past', 'present', 'planned'] as const
export type ValidityState = (typeof VALIDITY_STATES)[number]

export function validityState({ from, until }: Pick<Rate, 'from' | 'until'>, at: number): ValidityState {
  if (until !== null && until <= at) return 'past'
  return isValid({ from, until }, at) ? 'present' : 'planned'
}

/** Returns whether there is a time at which both are valid. */
function overlaps(a: Pick<Rate, 'from' | 'until'>, b: Pick<Rate, 'from' | 'until'>): boolean {
  return beginsBeforeEndOf(a, b) && beginsBeforeEndOf(b, a)
}

function beginsBeforeEndOf(a: Pick<Rate, 'from'>, b: Pick<Rate, 'until'>): boolean {
  return a.from === null || b.until === null || a.from < b.until
}

/** A kind of rates: of those with the same description at most one is valid at a time. */
export interface RateKind<T extends Rate> {
  readonly what: 'price' | 'cost'
  /** Describes what the rate is for, without its validity. */
  describe(rate: Omit<T, 'from' | 'until' | 'priceMicros'>): string
}

/** Returns two that would be valid for the same at one time; null if there are none. */
export function findOverlap<T extends Rate>(kind: RateKind<T>, rates: readonly T[]): readonly [T, T] | null {
  const search = searchOverlap(kind, rates)
  let next = search.next()
  while (next.done !== true) next = search.next()
  return next.value
}

/** Finds the same, and yields after each slice of the work. */
export function* searchOverlap<T extends Rate>(
  kind: RateKind<T>,
  rates: readonly T[],
): Generator<undefined, readonly [T, T] | null> {
  const byName = new Map<string, T[]>()
  yield* eachInSlices(rates, (rate) => {
    const name = kind.describe(rate)
    const same = byName.get(name)
    if (same === undefined) byName.set(name, [rate])
    else same.push(rate)
  })
  let examined = 0
  for (const same of byName.values()) {
    examined += 1
    if (examined % SLICE_RATES === 0) yield
    if (same.length < 2) continue
    same.sort((a, b) => beginningOf(a) - beginningOf(b))
    for (const [index, later] of same.entries()) {
      const earlier = same[index - 1]
      if (earlier !== undefined && overlaps(earlier, later)) return [earlier, later]
    }
  }
  return null
}

/** Returns the reason why both cannot be set. */
export function refuseOverlap<T extends Rate>({ what, describe }: RateKind<T>, [earlier, later]: readonly [T, T]) {
  return (
    `the ${what} of ${describe(later)} ${describeValidity(later)} overlaps with the one ${describeValidity(earlier)}: ` +
    'one must end before the other begins'
  )
}

/** Returns the rate for the same that is valid when this one begins; undefined if there is none. */
export function findPrevious<T extends Rate>({ describe }: RateKind<T>, rates: readonly T[], rate: T): T | undefined {
  const name = describe(rate)
  return rates.find((each) => beginningOf(each) < beginningOf(rate) && overlaps(each, rate) && describe(each) === name)
}

function beginningOf({ from }: Rate): number {
  return from ?? Number.NEGATIVE_INFINITY
}

/** Returns `from 2026-03-01 until 2026-04-01`, `at all times`. */
export function describeValidity({ from, until }: Pick<Rate, 'from' | 'until'>): string {
  if (from === null && until === null) return 'at all times'
  const words = [from === null ? '' : `from ${writeMoment(from)}`, until === null ? '' : `until ${writeMoment(until)}`]
  return words.filter((each) => each !== '').join(' ')
}

/** Returns `49… of operator 26201`, `every number`. */
export function describeNumbers(prefix: string, operator: string | null): string {
  return `${prefix === '' ? 'every number' : `${prefix}…`}${operator === null ? '' : ` of operator ${operator}`}`
}
