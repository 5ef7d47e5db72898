/** Prices as the admin API shows them. */
import type { AnswerOf } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'

export type Price = AnswerOf<'GET', '/accounts/{account}/prices'>['data'][number]
export type PricedChannel = Price['channel']

/** Whose prices a dialog changes. */
export interface PriceOwner {
  readonly account: number
  readonly currency: string
}

export function invalidatePrices(): void {
  invalidate('/accounts/{account}/prices', '/prices')
}
