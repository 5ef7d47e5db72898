/** Adds money to an account. */
import type { AccountId } from '../../domain/account.ts'
import type { Pots } from '../../domain/ledger.ts'
import type { Micros } from '../../domain/money.ts'
import type { Clock } from '../../ports/clock.ts'
import { ChangeRefused, type Store } from '../../ports/store.ts'

export interface TopUp {
  readonly accountId: AccountId
  /** More than nothing, in the account's currency. */
  readonly amountMicros: Micros
}

/** Answers with the account's pots after it. Throws a ChangeRefused. */
export async function topUp(store: Store, clock: Clock, { accountId, amountMicros }: TopUp): Promise<Pots> {
  if (amountMicros <= 0) throw new ChangeRefused('the amount must be more than nothing')
  await store.change({ kind: 'top up', accountId, amountMicros, at: clock.now() })
  const pots = await store.potsOf(accountId)
  if (pots === null) throw new TypeError('the store has no pots of an account that it topped up')
  return pots
}
