/** Prices as the admin API shows them. */
import type { AnswerOf } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'

export type Price = AnswerOf<'GET', '/accounts/{account}/prices'>['data'][number]
export type PricedChannel = Price['channel']

/** Whose prices a dialog changes: those of an account, of a price group or, if both are null, the general ones. */
export interface PriceOwner {
  readonly account: number | null
  readonly group: string | null
  /** That of the account. Otherwise the one to begin with: dialogs ask for it. */
  readonly currency: string
}

/** Returns the owner as optional fields of a request. */
export function ownerFields({ account, group }: Pick<PriceOwner, 'account' | 'group'>) {
  return { ...(account === null ? {} : { account }), ...(group === null ? {} : { group }) }
}

/** Users of an account see no groups. */
export function isOwnedBy(price: Price, { account, group }: PriceOwner): boolean {
  return price.account === account && (price.group ?? null) === group
}

export function invalidatePrices(): void {
  invalidate('/accounts/{account}/prices', '/prices', '/price-groups')
}
