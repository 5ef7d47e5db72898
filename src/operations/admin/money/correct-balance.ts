/** Corrects the money of an account, up or down, with a reason: a posting of its own, for none is ever edited. */
import type { AccountId } from '../../../domain/account.ts'
import type { Pots } from '../../../domain/ledger.ts'
import type { Micros } from '../../../domain/money.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { QueryStore } from '../../../ports/query-store.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { checkNote } from '../label.ts'
import { presentPots } from './top-up.ts'

export interface Correction {
  readonly accountId: AccountId
  /** Less than nothing takes money away: the reversal of a top-up. */
  readonly amountMicros: Micros
  /** Why. */
  readonly note: string
  /** Who. */
  readonly by: string
}

/** Answers with the account's pots after it. Throws a ChangeRefused. */
export async function correctBalance(
  store: QueryStore & SetupStore,
  clock: Clock,
  correction: Correction,
): Promise<Pots> {
  if (correction.note === '') throw new ChangeRefused('a correction needs a reason')
  checkNote(correction.note)
  await store.change({ kind: 'correct', ...correction, at: clock.now() })
  return presentPots(store, correction.accountId)
}
