/** Sets what a carrier takes from us for one part to numbers that begin so; among equal routes the cheaper goes first. */
import type { Cost } from '../../domain/route.ts'
import { ChangeRefused, type Store } from '../../ports/store.ts'
import { checkPrefix } from './label.ts'

/** Replaces the cost that was set for the same carrier and prefix. Throws a ChangeRefused. */
export async function setCost(store: Store, cost: Cost): Promise<void> {
  checkCost(cost)
  await store.change({ kind: 'set cost', cost })
}

/** What can be said without the store. Throws a ChangeRefused. */
export function checkCost({ prefix, priceMicros }: Cost): void {
  checkPrefix(prefix)
  if (priceMicros < 0) throw new ChangeRefused('a cost must not be less than nothing')
}
