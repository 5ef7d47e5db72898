/** The margin: what charges brought and what carriers took for them. */
import type { AccountId } from './account.ts'
import type { Channel } from './channel.ts'
import type { Amount } from './ledger.ts'
import { type Micros, toMicros } from './money.ts'

/** Charges of some months, added up. */
export interface ChargeTotal {
  readonly accountId: AccountId
  /** Null for charges from before it was written down. */
  readonly channel: Channel | null
  readonly carrierId: string | null
  readonly messages: number
  readonly parts: number
  /** In the currency of the account. */
  readonly amountMicros: Micros
  /** What carriers took for them; null where it was not known. */
  readonly cost: Amount | null
}
/** What it left; null when the cost is not known or in another currency than the account's. */
export function marginOf({ amountMicros, cost }: Pick<ChargeTotal, 'amountMicros' | 'cost'>, currency: string) {
  return cost?.currency === currency ? toMicros(amountMicros - cost.micros) : null
}
