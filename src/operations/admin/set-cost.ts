/** Sets what a carrier takes from us for one part to numbers that begin so; among equal routes the cheaper goes first. */
import { type Cost, FREE_CATEGORY, isCategory } from '../../domain/cost.ts'
import { UNLIMITED } from '../../domain/rate-table.ts'
import type { SetupStore } from '../../ports/setup-store.ts'
import { ChangeRefused } from '../../ports/store-errors.ts'
import { checkCurrency } from './currency.ts'
import { checkRate } from './label.ts'

/** Replaces the cost that was set for the same carrier, category, prefix and operator. Throws a ChangeRefused. */
export async function setCost(store: SetupStore, cost: Cost): Promise<void> {
  checkCost(cost)
  await store.change({ kind: 'set cost', cost })
}

/** What can be said without the store. Throws a ChangeRefused. */
export function checkCost({ category, prefix, operator, currency, priceMicros }: Cost): void {
  if (category !== null) checkCategory(category)
  checkRate({ ...UNLIMITED, prefix, operator })
  if (currency !== null) checkCurrency(currency)
  if (priceMicros < 0) throw new ChangeRefused('a cost must not be less than nothing')
}

function checkCategory(category: string): void {
  if (!isCategory(category)) {
    throw new ChangeRefused('a category must be 1 to 64 letters, digits, dashes and underscores, such as utility')
  }
  if (category === FREE_CATEGORY) throw new ChangeRefused('what a carrier reports as free costs nothing')
}
