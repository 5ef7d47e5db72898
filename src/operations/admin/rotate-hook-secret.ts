/** Gives an account a new secret for its reports. Until the next rotation reports are signed by the one before as well. */
import type { AccountId } from '../../domain/account.ts'
import type { Random } from '../../ports/random.ts'
import type { Store } from '../../ports/store.ts'
import { accountRow } from './account-row.ts'
import { makeHookSecret } from './hook-secret.ts'

/** Answers with the new secret, to be shown now and never again. Throws a ChangeRefused. */
export async function rotateHookSecret(store: Store, random: Random, accountId: AccountId): Promise<string> {
  const account = accountRow(await store.loadDirectory(), accountId)
  const secret = makeHookSecret(random)
  const hookSecrets = [secret, ...account.hookSecrets.slice(0, 1)]
  await store.change({ kind: 'set hook secrets', accountId, hookSecrets })
  return secret
}
