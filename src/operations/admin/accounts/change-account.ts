/** Changes an account: its name, whether it may be used, and its settings. What is not named stays as it is. */
import type { Account, AccountId, AccountSettings } from '../../../domain/account.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { checkName } from '../label.ts'
import { accountRow } from './account-row.ts'
import { checkSettings } from './check-settings.ts'

export interface AccountWish {
  readonly accountId: AccountId
  readonly name?: string | undefined
  /** Closing is a deed of its own: close-account.ts. */
  readonly state?: 'active' | 'suspended' | undefined
  readonly settings?: Partial<AccountSettings> | undefined
}

/** Answers with the account as it is then. Throws a ChangeRefused. */
export async function changeAccount(store: SetupStore, wish: AccountWish): Promise<Account> {
  const { accountId, name, state, settings = {} } = wish
  const changesSettings = Object.keys(settings).length > 0
  if (name === undefined && state === undefined && !changesSettings) {
    throw new ChangeRefused('nothing to change was named')
  }
  const before = accountRow(await store.loadDirectory(), accountId)
  if (name !== undefined) checkName('the name of an account', name)
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(state === undefined ? {} : { state }),
    ...(changesSettings ? { settings: checkSettings(before.settings, settings) } : {}),
  }
  await store.change({ kind: 'set account', accountId, ...change })
  return { ...before, ...change }
}
