/**
 * Prices: what an account pays for one part of a channel to a number. A message keeps the price valid at its
 * acceptance, whatever happens to prices later.
 */
import type { RoutedChannel } from '../channels/channel.ts'
import type { AccountId } from '../ids/account-id.ts'
import type { Phone } from '../numbers/phone.ts'
import { PrefixTable } from '../numbers/prefix-table.ts'
import { writeMoment } from '../time/moment.ts'
import { type Micros, toMicros } from './money.ts'

/**
 * Amounts by number prefix, operator and time, for prices and costs. Of the rates that are valid and match a number,
 * one for its operator wins over one for every operator, and then the longest prefix wins: a ported number belongs to
 * its operator, whatever its digits say.
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

function isValid({ from, until }: Rate, at: number): boolean {
  return (from === null || from <= at) && (until === null || at < until)
}

/** Returns whether there is a time at which both are valid. */
export function overlaps(a: Pick<Rate, 'from' | 'until'>, b: Pick<Rate, 'from' | 'until'>): boolean {
  return beginsBeforeEndOf(a, b) && beginsBeforeEndOf(b, a)
}

function beginsBeforeEndOf(a: Pick<Rate, 'from'>, b: Pick<Rate, 'until'>): boolean {
  return a.from === null || b.until === null || a.from < b.until
}

/** Rates examined between two yields. */
const SLICE_RATES = 1_000

/**
 * Returns two rates of the same key whose validity overlaps; null if there are none. `keyOf` leaves out the validity.
 * Yields after each slice of the work.
 */
function* searchOverlap<T extends Rate>(
  rates: readonly T[],
  keyOf: (rate: T) => string,
): Generator<undefined, readonly [T, T] | null> {
  const byKey = new Map<string, T[]>()
  for (const [index, rate] of rates.entries()) {
    const key = keyOf(rate)
    const same = byKey.get(key)
    if (same === undefined) byKey.set(key, [rate])
    else same.push(rate)
    if (index % SLICE_RATES === SLICE_RATES - 1) yield
  }
  let examined = 0
  for (const same of byKey.values()) {
    examined += 1
    if (examined % SLICE_RATES === 0) yield
    if (same.length < 2) continue
    same.sort((a, b) => (a.from ?? Number.NEGATIVE_INFINITY) - (b.from ?? Number.NEGATIVE_INFINITY))
    for (const [index, later] of same.entries()) {
      const earlier = same[index - 1]
      if (earlier !== undefined && overlaps(earlier, later)) return [earlier, later]
    }
  }
  return null
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

/** Unique by account, currency, channel, prefix and operator at any time. */
export interface Price extends Rate {
  /** Null: for every account without a matching price of its own. */
  readonly accountId: AccountId | null
  /** ISO 4217. */
  readonly currency: string
  readonly channel: RoutedChannel
}

/** Identifies a price. */
export type PriceKey = Omit<Price, 'priceMicros' | 'until'>

/** Whose price for what is requested. */
export interface PriceQuestion extends RatedNumber {
  readonly accountId: AccountId
  readonly currency: string
  readonly channel: RoutedChannel
  /** Milliseconds: when the message is accepted. */
  readonly at: number
}

/** Prices added between two yields. */
const SLICE_PRICES = 1_000

/**
 * The tariff, ready for lookup. The account's own prices win over general ones; within each, one for the number's
 * operator wins over one for every operator, and then the longest prefix wins.
 */
export class Tariff {
  /** By account, null for the general ones, then by currency and channel: no key has to be written to look one up. */
  readonly #tables = new Map<AccountId | null, Map<string, Map<RoutedChannel, RateTable<Price>>>>()

  constructor(prices: readonly Price[]) {
    for (const price of prices) this.#add(price)
  }

  /** Returns the tariff of the prices; yields after each slice of the work. */
  static *build(prices: readonly Price[]): Generator<undefined, Tariff> {
    const tariff = new Tariff([])
    for (const [index, price] of prices.entries()) {
      tariff.#add(price)
      if (index % SLICE_PRICES === SLICE_PRICES - 1) yield
    }
    return tariff
  }

  #add(price: Price): void {
    const { accountId, currency, channel } = price
    const currencies = this.#tables.get(accountId) ?? new Map<string, Map<RoutedChannel, RateTable<Price>>>()
    const channels = currencies.get(currency) ?? new Map<RoutedChannel, RateTable<Price>>()
    const table = channels.get(channel) ?? new RateTable<Price>()
    table.add(price)
    this.#tables.set(accountId, currencies.set(currency, channels.set(channel, table)))
  }

  /** Returns the price of one part; null if none is set. */
  priceOf(asked: PriceQuestion): Micros | null {
    const price = this.#find(asked.accountId, asked) ?? this.#find(null, asked)
    return price?.priceMicros ?? null
  }

  #find(accountId: AccountId | null, asked: PriceQuestion): Price | null {
    return this.#tables.get(accountId)?.get(asked.currency)?.get(asked.channel)?.find(asked, asked.at) ?? null
  }
}

/** Returns two that would be valid for the same at one time; null if there are none. */
export function findPriceOverlap(prices: readonly Price[]): readonly [Price, Price] | null {
  const search = searchPriceOverlap(prices)
  let next = search.next()
  while (next.done !== true) next = search.next()
  return next.value
}

/** Finds the same, and yields after each slice of the work. */
export function searchPriceOverlap(prices: readonly Price[]): Generator<undefined, readonly [Price, Price] | null> {
  return searchOverlap(prices, ({ accountId, currency, channel, prefix, operator }) =>
    [accountId ?? '', currency, channel, prefix, operator ?? ''].join(' '),
  )
}

/** Describes what the price is for: `sms 49… of operator 26201 in EUR for account 1`. */
export function describePrice({ accountId, currency, channel, prefix, operator }: Omit<PriceKey, 'from'>): string {
  const whose = accountId === null ? '' : ` for account ${accountId}`
  return `${channel} ${describeNumbers(prefix, operator)} in ${currency}${whose}`
}

/**
 * Returns when there is no price for the same once this one has ended; null if another one is valid then. Ignores a
 * price with its key and beginning, which it replaces.
 */
export function describeGap(prices: readonly Price[], ended: Price): string | null {
  const { until } = ended
  if (until === null) return null
  const others = prices.filter((price) => covers(price, ended) && !isSame(price, ended))
  if (others.some((price) => isValid(price, until))) return null
  const next = others.reduce<number | null>((first, { from }) => {
    return from !== null && from > until && (first === null || from < first) ? from : first
  }, null)
  return `there is no price for ${describePrice(ended)} ${describeValidity({ from: until, until: next })}`
}

function isSame(one: Price, other: Price): boolean {
  return one.from === other.from && describePrice(one) === describePrice(other)
}

/** Whether a price is for all numbers of another one, while it is valid. */
function covers(wide: Price, { accountId, currency, channel, prefix, operator }: Price): boolean {
  if (wide.currency !== currency || wide.channel !== channel || !prefix.startsWith(wide.prefix)) return false
  return [null, accountId].includes(wide.accountId) && [null, operator].includes(wide.operator)
}

/** Returns the reason why both cannot be set. */
export function refuseOverlap(earlier: Price, later: Price): string {
  return (
    `the price of ${describePrice(later)} ${describeValidity(later)} overlaps with the one ${describeValidity(earlier)}: ` +
    'one must end before the other begins'
  )
}

/** Hundred percent, in the unit of `scalePrice`. */
const WHOLE = 100_000_000n

/**
 * Returns a percentage of a price, in millionths of a percent (100,000,000 is the price itself). This is the only place
 * where an amount is rounded, because it sets prices and moves no money: to the nearest millionth, half up. Returns
 * null above MAX_RATE.
 */
export function scalePrice(price: Micros, percentMicros: Micros): Micros | null {
  const scaled = (BigInt(price) * BigInt(percentMicros) + WHOLE / 2n) / WHOLE
  return scaled > MAX_RATE ? null : toMicros(Number(scaled))
}
