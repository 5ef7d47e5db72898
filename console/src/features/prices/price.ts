/** Prices as the admin API shows them. */
import type { AnswerOf } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'
import { ROUTED_CHANNELS } from '../../texts/channels.ts'

export type Price = AnswerOf<'GET', '/accounts/{account}/prices'>['data'][number]
export type PricedChannel = Price['channel']

export const PRICED_CHANNELS: readonly PricedChannel[] = ROUTED_CHANNELS

/** Whose prices a dialog changes. */
export interface PriceOwner {
  readonly account: number
  readonly currency: string
}

export function invalidatePrices(): void {
  invalidate('/accounts/{account}/prices', '/prices')
}
