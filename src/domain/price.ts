/**
 * Prices: what an account pays for one part of a channel to a number. The price valid when a message is accepted is the
 * price of that message, whatever happens to prices later.
 */
import type { AccountId } from './account.ts'
import type { Channel } from './channel.ts'
import { type Micros, toMicros } from './money.ts'
import { describeNumbers, describeValidity, findOverlap, type Rate, type RatedNumber, RateTable } from './rate-table.ts'

/** No two have the same account, currency, channel, prefix and operator at one time. */
export interface Price extends Rate {
  /** Null: for every account that has no price of its own that fits the number. */
  readonly accountId: AccountId | null
  /** ISO 4217. */
  readonly currency: string
  readonly channel: Channel
}

/** By what a price is known. */
export type PriceKey = Omit<Price, 'priceMicros' | 'until'>

/** Whose price of what is asked for. */
export interface PriceQuestion extends RatedNumber {
  readonly accountId: AccountId
  readonly currency: string
  readonly channel: Channel
  /** Milliseconds: when the message is accepted. */
  readonly at: number
}

/**
 * The tariff as it is asked for. The account's own prices go before the general ones; within each, one for the number's
 * operator goes before one for every operator, and then the longest prefix wins.
 */
export class Tariff {
  readonly #tables = new Map<string, RateTable<Price>>()

  constructor(prices: readonly Price[]) {
    for (const price of prices) {
      const key = tableKey(price.accountId, price.currency, price.channel)
      const table = this.#tables.get(key) ?? new RateTable<Price>()
      table.add(price)
      this.#tables.set(key, table)
    }
  }

  /** The price of one part; null when the operator has set none. */
  priceOf(asked: PriceQuestion): Micros | null {
    const { accountId, currency, channel, at } = asked
    const own = this.#tables.get(tableKey(accountId, currency, channel))?.find(asked, at)
    const price = own ?? this.#tables.get(tableKey(null, currency, channel))?.find(asked, at)
    return price?.priceMicros ?? null
  }
}

function tableKey(accountId: AccountId | null, currency: string, channel: Channel): string {
  return `${accountId ?? '*'} ${currency} ${channel}`
}

/** Two of them that would be valid for the same at one time; null when there are none. */
export function findPriceOverlap(prices: readonly Price[]): readonly [Price, Price] | null {
  return findOverlap(prices, ({ accountId, currency, channel, prefix, operator }) =>
    [accountId ?? '', currency, channel, prefix, operator ?? ''].join(' '),
  )
}

/** What the price is for, in words: `sms 49… of operator 26201 in EUR for account 1`. */
export function describePrice({ accountId, currency, channel, prefix, operator }: Omit<PriceKey, 'from'>): string {
  const whose = accountId === null ? '' : ` for account ${accountId}`
  return `${channel} ${describeNumbers(prefix, operator)} in ${currency}${whose}`
}

/** Why the two cannot both be. */
export function refuseOverlap(earlier: Price, later: Price): string {
  return (
    `the price of ${describePrice(later)} ${describeValidity(later)} overlaps with the one ${describeValidity(earlier)}: ` +
    'one must end before the other begins'
  )
}

/** Hundred percent, as `scalePrice` counts. */
const WHOLE = 100_000_000n

/**
 * So many millionths of a percent of a price (100,000,000 is the price itself). Prices are set and not moved, so this is
 * the one place where an amount is rounded: to the nearest millionth, a half upwards.
 */
export function scalePrice(price: Micros, percentMicros: Micros): Micros {
  return toMicros(Number((BigInt(price) * BigInt(percentMicros) + WHOLE / 2n) / WHOLE))
}
