/** A key that no client has: the rights of what the gateway itself does for an account. */
import { KEY_DEFAULTS, type KeyInUse } from '../../domain/accounts/api-key.ts'

export function internalKey(
  rights: Pick<KeyInUse, 'accountId' | 'name' | 'scopes' | 'test' | 'createdAt'> &
    Partial<Pick<KeyInUse, 'priority' | 'usedBy'>>,
): KeyInUse {
  return { ...KEY_DEFAULTS, ...rights, hash: '', lastUsedAt: null }
}
