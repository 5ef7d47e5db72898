/** A key that no client has: the rights of what the gateway itself does for an account. */
import { type ApiKey, KEY_DEFAULTS } from '../../domain/accounts/api-key.ts'

export function internalKey(
  rights: Pick<ApiKey, 'accountId' | 'name' | 'scopes' | 'test' | 'createdAt'> & Partial<Pick<ApiKey, 'priority'>>,
): ApiKey {
  return { ...KEY_DEFAULTS, ...rights, hash: '', lastUsedAt: null }
}
