/** Changes what an account may do: its state and its settings. What is not named stays as it is. */
import { DEFAULT_LIMITS } from '../../contract/limits.ts'
import type { Account, AccountId, AccountSettings, AccountState } from '../../domain/account.ts'
import { ChangeRefused, type Store } from '../../ports/store.ts'
import { accountRow } from './account-row.ts'
import { checkAccountGuards } from './check-guards.ts'

const OPERATIONS_MOST = 1_000_000

export interface AccountChange {
  readonly accountId: AccountId
  readonly state?: AccountState
  readonly settings?: Partial<AccountSettings>
}

/** Answers with the account as it is then. Throws a ChangeRefused. */
export async function changeAccount(store: Store, { accountId, state, settings }: AccountChange): Promise<Account> {
  const before = accountRow(await store.loadDirectory(), accountId)
  const after = { ...before, state: state ?? before.state, settings: { ...before.settings, ...settings } }
  const { operationsPerSecond } = after.settings
  // What stays may be shorter: a sandbox has lifetimes of its own.
  const stepLifetimeSeconds = settings?.stepLifetimeSeconds
  const { lifetimeMinSeconds, lifetimeMaxSeconds } = DEFAULT_LIMITS
  if (stepLifetimeSeconds !== undefined && !isWhole(stepLifetimeSeconds, lifetimeMinSeconds, lifetimeMaxSeconds)) {
    throw new ChangeRefused(
      `the lifetime of steps must be a whole number of seconds from ${lifetimeMinSeconds} to ${lifetimeMaxSeconds}`,
    )
  }
  if (operationsPerSecond !== null && !isWhole(operationsPerSecond, 1, OPERATIONS_MOST)) {
    throw new ChangeRefused(`operations per second must be a whole number from 1 to ${OPERATIONS_MOST}`)
  }
  checkAccountGuards(after.settings)
  if (settings !== undefined) await store.change({ kind: 'set account settings', accountId, settings: after.settings })
  if (state !== undefined) await store.change({ kind: 'set account state', accountId, state })
  return after
}

function isWhole(number: number, least: number, most: number): boolean {
  return Number.isInteger(number) && number >= least && number <= most
}
