/** The margin: charges less what carriers charged us for them. */
import type { RoutedChannel } from '../channels/channel.ts'
import type { AccountId } from '../ids/account-id.ts'
import type { Amount } from './ledger.ts'
import { type Micros, toMicros } from './money.ts'

/** Charges of a range of months, summed. */
export interface ChargeTotal {
  readonly accountId: AccountId
  /** Null for charges from before it was recorded. */
  readonly channel: RoutedChannel | null
  readonly carrierId: string | null
  readonly messages: number
  readonly parts: number
  /** In the currency of the account. */
  readonly amountMicros: Micros
  /** What carriers charged us; null if unknown. */
  readonly cost: Amount | null
}
/** Charges less cost; null if the cost is unknown or in another currency than the account's. */
export function marginOf({ amountMicros, cost }: Pick<ChargeTotal, 'amountMicros' | 'cost'>, currency: string) {
  return cost?.currency === currency ? toMicros(amountMicros - cost.micros) : null
}
