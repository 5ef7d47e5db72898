/**
 * Closes an account for good: its keys are gone, and nothing opens it again. What it has sent before is still delivered,
 * charged and reported.
 */
import type { Account, AccountId } from '../../../domain/account.ts'
import type { Pots } from '../../../domain/ledger.ts'
import type { QueryStore } from '../../../ports/query-store.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { accountRow } from './account-row.ts'

export interface Closing {
  readonly accountId: AccountId
  /** Its name, so that a wrong number closes nobody. */
  readonly name: string
}

export interface ClosedAccount {
  readonly account: Account
  /** What it leaves: to be paid back, or kept until its open messages have ended. */
  readonly pots: Pots
  /** How many keys were taken back. */
  readonly keys: number
}

/** Throws a ChangeRefused. */
export async function closeAccount(
  store: QueryStore & SetupStore,
  { accountId, name }: Closing,
): Promise<ClosedAccount> {
  const rows = await store.loadDirectory()
  const account = accountRow(rows, accountId)
  if (account.name !== name) throw new ChangeRefused(`account ${accountId} is not named ${JSON.stringify(name)}`)
  await store.change({ kind: 'set account', accountId, state: 'closed' })
  const pots = await store.potsOf(accountId)
  if (pots === null) throw new TypeError('the store has no pots of an account that it closed')
  const keys = rows.keys.filter((key) => key.accountId === accountId).length
  return { account: { ...account, state: 'closed' }, pots, keys }
}
