/** What leads messages to carriers and what they are paid for, as operators change it. */
import type { AccountId, AccountSettings } from '../domain/account.ts'
import type { Cost, CostKey } from '../domain/cost.ts'
import type { CarrierSetup } from '../domain/directory.ts'
import type { Price, PriceKey } from '../domain/price.ts'
import type { NumberPool, Route, RouteKey } from '../domain/route.ts'
import type { GuardSetUpChange } from './guard-change.ts'

/** What a configuration file can change. What is to be removed and is not there is refused. */
export type RoutingChange =
  /** Adds the carrier, not draining, or replaces it and leaves that as it was. */
  | { readonly kind: 'set carrier'; readonly carrier: CarrierSetup }
  | { readonly kind: 'set draining'; readonly carrierId: string; readonly draining: boolean }
  /** Refused while routes lead to it. Its costs go with it. */
  | { readonly kind: 'remove carrier'; readonly carrierId: string }
  | { readonly kind: 'set route'; readonly route: Route }
  | { readonly kind: 'remove route'; readonly route: RouteKey }
  | { readonly kind: 'set cost'; readonly cost: Cost }
  | { readonly kind: 'remove cost'; readonly cost: CostKey }
  | { readonly kind: 'set pool'; readonly pool: NumberPool }
  /** Refused while routes name it. */
  | { readonly kind: 'remove pool'; readonly poolId: string }
  /** Replaces the one with the same key. Refused when its validity overlaps with that of another for the same. */
  | { readonly kind: 'set price'; readonly price: Price }
  | { readonly kind: 'remove price'; readonly price: PriceKey }
  /** In the place of every price of the account, or of every general one, in the currency: all of them are of that. */
  | {
      readonly kind: 'set tariff'
      readonly accountId: AccountId | null
      readonly currency: string
      readonly prices: readonly Price[]
    }
  | GuardSetUpChange
  /** Of an account that is there. */
  | { readonly kind: 'set account'; readonly accountId: AccountId; readonly settings: AccountSettings }
  /** The whole table, in place of the one before: the text of an OperatorTable. */
  | { readonly kind: 'set operators'; readonly operators: string }
