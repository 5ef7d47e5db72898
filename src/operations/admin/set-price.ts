/** Sets what accounts pay for one part of a channel to numbers that begin so. */
import type { DirectoryRows } from '../../domain/directory.ts'
import { describePrice, type Price } from '../../domain/price.ts'
import { overlaps } from '../../domain/rate-table.ts'
import type { SetupStore } from '../../ports/setup-store.ts'
import { ChangeRefused } from '../../ports/store-errors.ts'
import { accountRow } from './account-row.ts'
import { checkCurrency } from './currency.ts'
import { checkRate } from './label.ts'

export interface SetPriceOptions {
  /** The price that is valid when this one begins ends then. Without it such a price is in the way. */
  readonly endPrevious?: boolean
}

/** Replaces the price that begins at the same time for the same. Throws a ChangeRefused. */
export async function setPrice(
  store: SetupStore,
  price: Price,
  { endPrevious = false }: SetPriceOptions = {},
): Promise<void> {
  const rows = await store.loadDirectory()
  checkPrice(rows, price)
  const previous = endPrevious ? findPrevious(rows.prices, price) : undefined
  if (previous === undefined) {
    await store.change({ kind: 'set price', price })
    return
  }
  const ended: Price = { ...previous, until: price.from }
  const changes = [ended, price].map((each) => ({ kind: 'set price', price: each }) as const)
  await store.change({ kind: 'all', revision: rows.revision, changes })
}

function findPrevious(prices: readonly Price[], price: Price): Price | undefined {
  if (price.from === null) throw new ChangeRefused('a price that was always valid has none before it')
  const { from } = price
  const name = describePrice(price)
  return prices.find((each) => {
    const begins = each.from ?? Number.NEGATIVE_INFINITY
    return begins < from && overlaps(each, price) && describePrice(each) === name
  })
}

/** Throws a ChangeRefused. */
export function checkPrice(rows: DirectoryRows, price: Price): void {
  checkRate(price)
  checkCurrency(price.currency)
  if (price.priceMicros < 0) throw new ChangeRefused('a price must not be less than nothing')
  if (price.accountId !== null) {
    const { currency } = accountRow(rows, price.accountId)
    if (currency !== price.currency) {
      throw new ChangeRefused(
        `account ${price.accountId} pays in ${currency}, a price in ${price.currency} would be of no use`,
      )
    }
  }
}
