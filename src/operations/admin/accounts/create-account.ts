/** Makes an account: active, without money, with a secret for its reports. */
import { type AccountId, type AccountSettings, DEFAULT_ACCOUNT_SETTINGS } from '../../../domain/account.ts'
import type { Random } from '../../../ports/random.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'
import { checkCurrency } from '../currency.ts'
import { makeHookSecret } from '../hooks/hook-secret.ts'
import { checkName } from '../label.ts'

export interface NewAccount {
  readonly name: string
  /** ISO 4217. */
  readonly currency: string
  readonly settings?: AccountSettings
}

/** Answers with the secret too, to be shown now and never again. Throws a ChangeRefused. */
export async function createAccount(
  store: SetupStore,
  random: Random,
  { name, currency, settings = DEFAULT_ACCOUNT_SETTINGS }: NewAccount,
): Promise<{ readonly accountId: AccountId; readonly hookSecret: string }> {
  checkNewAccount({ name, currency })
  const hookSecret = makeHookSecret(random)
  const account = { name, currency, state: 'active', hookSecrets: [hookSecret], settings } as const
  const accountId = await store.change({ kind: 'create account', account })
  if (accountId === null) throw new TypeError('the store gave no id to a new account')
  return { accountId, hookSecret }
}

/** What can be said before there is a store. Throws a ChangeRefused. */
function checkNewAccount({ name, currency }: NewAccount): void {
  checkName('the name of an account', name)
  checkCurrency(currency)
}
