/** A key that no client has: the rights of what the gateway itself does for an account. */
import type { ApiKey } from '../../domain/accounts/api-key.ts'

export function internalKey(rights: Pick<ApiKey, 'accountId' | 'name' | 'scopes' | 'test' | 'createdAt'>): ApiKey {
  return { ...rights, hash: '', expiresAt: null, lastUsedAt: null }
}
