/** Takes keys back for good: from now on they open nothing. */
import type { ApiKey } from '../../domain/api-key.ts'
import type { Store } from '../../ports/store.ts'
import { findKeys, type KeyChoice } from './find-keys.ts'

/** Answers with the keys that were: one for an id, all of that name for a name. Throws a ChangeRefused. */
export async function revokeKey(store: Store, choice: KeyChoice): Promise<readonly ApiKey[]> {
  const keys = findKeys(await store.loadDirectory(), choice)
  await store.change({ kind: 'remove keys', accountId: choice.accountId, hashes: keys.map(({ hash }) => hash) })
  return keys
}
