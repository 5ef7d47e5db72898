/** Sets what accounts pay for one part of a channel to numbers that begin so. */
import type { DirectoryRows } from '../../domain/directory.ts'
import type { Price } from '../../domain/price.ts'
import { ChangeRefused, type Store } from '../../ports/store.ts'
import { accountRow } from './account-row.ts'
import { checkCurrency } from './currency.ts'
import { checkPrefix } from './label.ts'

/** Replaces the price that was set for the same account, currency, channel and prefix. Throws a ChangeRefused. */
export async function setPrice(store: Store, price: Price): Promise<void> {
  checkPrice(await store.loadDirectory(), price)
  await store.change({ kind: 'set price', price })
}

/** Throws a ChangeRefused. */
export function checkPrice(rows: DirectoryRows, price: Price): void {
  checkPrefix(price.prefix)
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
