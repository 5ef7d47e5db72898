/** Changes of routing and prices by operators. */
import type { AccountSettings } from '../../domain/accounts/account.ts'
import type { CarrierSetup } from '../../domain/directory/directory.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { InboundNumber, InboundNumberKey } from '../../domain/inbound/inbound-number.ts'
import type { Cost, CostKey } from '../../domain/money/cost.ts'
import type {
  GroupMembership,
  GroupMembershipKey,
  Price,
  PriceGroup,
  PriceKey,
  PriceOwner,
} from '../../domain/money/price.ts'
import type { QualityRuleKey, QualityRuleSetting } from '../../domain/routing/quality-rule.ts'
import type { NumberPool, Route, RouteKey } from '../../domain/routing/route.ts'
import type { AlarmSetUpChange } from './alarm-change.ts'
import type { GuardSetUpChange } from './guard-change.ts'

/** What the audit log says of an import: the file, the first day, how many of each effect. */
export type ImportFacts = Readonly<Record<string, string | number>>

/** Those that a configuration file can contain. Removing what does not exist is refused. */
export type RoutingChange =
  /** Adds the carrier, not draining, or replaces it and keeps whether it is draining. */
  | { readonly kind: 'set carrier'; readonly carrier: CarrierSetup }
  | { readonly kind: 'set draining'; readonly carrierId: string; readonly draining: boolean }
  /** Refused while routes lead to it. Removes its costs and inbound numbers too. */
  | { readonly kind: 'remove carrier'; readonly carrierId: string }
  | { readonly kind: 'set route'; readonly route: Route }
  | { readonly kind: 'remove route'; readonly route: RouteKey }
  /** Replaces the one with the same key. Refused if its validity overlaps with another one for the same. */
  | { readonly kind: 'set cost'; readonly cost: Cost }
  | { readonly kind: 'remove cost'; readonly cost: CostKey }
  /** Replaces every cost of the carrier. */
  | {
      readonly kind: 'set costs'
      readonly carrierId: string
      readonly costs: readonly Cost[]
      readonly facts?: ImportFacts
    }
  | { readonly kind: 'set inbound number'; readonly number: InboundNumber }
  | { readonly kind: 'remove inbound number'; readonly number: InboundNumberKey }
  | { readonly kind: 'set quality rule'; readonly rule: QualityRuleSetting }
  | { readonly kind: 'remove quality rule'; readonly rule: QualityRuleKey }
  | { readonly kind: 'set pool'; readonly pool: NumberPool }
  /** Refused while routes name it. */
  | { readonly kind: 'remove pool'; readonly poolId: string }
  /** Replaces the one with the same key. Refused if its validity overlaps with another one for the same. */
  | { readonly kind: 'set price'; readonly price: Price }
  | { readonly kind: 'remove price'; readonly price: PriceKey }
  /** Replaces every price of the owner in the currency of the new ones. */
  | {
      readonly kind: 'set tariff'
      readonly owner: PriceOwner
      readonly currency: string
      readonly prices: readonly Price[]
      readonly facts?: ImportFacts
    }
  | { readonly kind: 'set price group'; readonly group: PriceGroup }
  /** Refused while a membership names it. Removes its prices too. */
  | { readonly kind: 'remove price group'; readonly group: PriceGroup }
  /** Replaces the one of the account that begins at the same time. */
  | { readonly kind: 'set group membership'; readonly membership: GroupMembership }
  | { readonly kind: 'remove group membership'; readonly membership: GroupMembershipKey }
  | GuardSetUpChange
  | AlarmSetUpChange
  /** Of an existing account. */
  | { readonly kind: 'set account'; readonly accountId: AccountId; readonly settings: AccountSettings }
  /** Replaces the whole table: the text of an OperatorTable. */
  | { readonly kind: 'set operators'; readonly operators: string }
