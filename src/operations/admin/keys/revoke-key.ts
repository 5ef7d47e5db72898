/** Takes keys back for good: from now on they open nothing. */
import type { ApiKey } from '../../../domain/api-key.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'
import { findKeys, type KeyChoice } from './find-keys.ts'

/** Answers with the keys that were: one for an id, all of that name for a name. Throws a ChangeRefused. */
export async function revokeKey(store: SetupStore, choice: KeyChoice): Promise<readonly ApiKey[]> {
  const keys = findKeys(await store.loadDirectory(), choice)
  await store.change({ kind: 'remove keys', accountId: choice.accountId, hashes: keys.map(({ hash }) => hash) })
  return keys
}
