/** Prices: what an account pays for one message of a channel to a number. */
import type { AccountId } from './account.ts'
import type { Channel } from './channel.ts'
import type { Micros } from './money.ts'
import { PrefixTable } from './prefix-table.ts'

export interface Price {
  /** Null: for every account that has no price of its own for the same channel and number. */
  readonly accountId: AccountId | null
  readonly currency: string
  readonly channel: Channel
  /** Digits; empty for every number. */
  readonly prefix: string
  /** For one part. */
  readonly priceMicros: Micros
}

/** The tariff as it is asked for: by account first, then the general one; the longest prefix wins within each. */
export class Tariff {
  readonly #tables = new Map<string, PrefixTable<Micros>>()

  constructor(prices: readonly Price[]) {
    for (const price of prices) {
      const key = tableKey(price.accountId, price.currency, price.channel)
      const table = this.#tables.get(key) ?? new PrefixTable<Micros>()
      table.set(price.prefix, price.priceMicros)
      this.#tables.set(key, table)
    }
  }

  /** The price of one part; null when the operator has set none. */
  priceOf(accountId: AccountId, currency: string, channel: Channel, digits: string): Micros | null {
    return (
      this.#tables.get(tableKey(accountId, currency, channel))?.find(digits) ??
      this.#tables.get(tableKey(null, currency, channel))?.find(digits) ??
      null
    )
  }
}

function tableKey(accountId: AccountId | null, currency: string, channel: Channel): string {
  return `${accountId ?? '*'} ${currency} ${channel}`
}
