/** Payments of an account, and corrections of its balance. */
import type { AccountId } from '../../../domain/account.ts'
import type { Balances } from '../../../domain/ledger.ts'
import type { Micros } from '../../../domain/money.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { QueryStore } from '../../../ports/query-store.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { checkNote } from '../label.ts'

export interface TopUp {
  readonly accountId: AccountId
  /** More than nothing, in the account's currency. */
  readonly amountMicros: Micros
  /** Who adds it; absent when no person does. */
  readonly by?: string
  /** The number of an invoice or a payment. */
  readonly note?: string
}

/** Returns the account's pots after it. Throws a ChangeRefused. */
export async function topUp(store: QueryStore & SetupStore, clock: Clock, input: TopUp): Promise<Balances> {
  if (input.amountMicros <= 0) throw new ChangeRefused('the amount must be more than nothing')
  if (input.note !== undefined) checkNote(input.note)
  await store.change({ kind: 'top up', ...input, at: clock.now() })
  return currentBalances(store, input.accountId)
}

/** The pots of an account that was there just now. */
async function currentBalances(store: QueryStore & SetupStore, accountId: AccountId): Promise<Balances> {
  const balances = await store.balancesOf(accountId)
  if (balances === null) throw new TypeError('the store has no balances of an account')
  return balances
}

export interface Correction {
  readonly accountId: AccountId
  /** Less than nothing takes money away: the reversal of a top-up. */
  readonly amountMicros: Micros
  /** Why. */
  readonly note: string
  /** Who. */
  readonly by: string
}

/** Returns the account's pots after it. Throws a ChangeRefused. */
export async function correctBalance(
  store: QueryStore & SetupStore,
  clock: Clock,
  correction: Correction,
): Promise<Balances> {
  if (correction.note === '') throw new ChangeRefused('a correction needs a reason')
  checkNote(correction.note)
  await store.change({ kind: 'correct', ...correction, at: clock.now() })
  return currentBalances(store, correction.accountId)
}
