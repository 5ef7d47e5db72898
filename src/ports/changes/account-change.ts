/** Changes of an account itself: name, state, settings, API keys and hook secrets. */
import type { Account, AccountSettings, AccountState } from '../../domain/accounts/account.ts'
import type { ApiKey } from '../../domain/accounts/api-key.ts'
import type { Login } from '../../domain/accounts/login.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'

export type AccountChange =
  | { readonly kind: 'create account'; readonly account: NewAccount }
  /** Absent fields stay unchanged. Closing removes the keys; a closed account gets no other state and no key again. */
  | {
      readonly kind: 'set account'
      readonly accountId: AccountId
      readonly name?: string
      readonly state?: AccountState
      readonly settings?: AccountSettings
    }
  /** `oldUntil`: until when all but the first sign; absent for no end. */
  | {
      readonly kind: 'set hook secrets'
      readonly accountId: AccountId
      readonly hookSecrets: readonly string[]
      readonly oldUntil?: number
    }
  /** `replaces` is a key of the same account, which now expires at that time. */
  | {
      readonly kind: 'add key'
      readonly key: NewApiKey
      readonly replaces?: { readonly hash: string; readonly expiresAt: number }
    }
  /** All of them; refused if one does not exist. Absent rights stay unchanged. */
  | {
      readonly kind: 'set keys'
      readonly accountId: AccountId
      readonly hashes: readonly string[]
      readonly rights: KeyRights
    }
  /** All of them; refused if one does not exist. */
  | { readonly kind: 'remove keys'; readonly accountId: AccountId; readonly hashes: readonly string[] }
  /** Adds the login or replaces it; refused if it is one of another account. */
  | { readonly kind: 'set client login'; readonly login: Login }
  | { readonly kind: 'remove client login'; readonly accountId: AccountId; readonly name: string }

/** What can be changed of a key. */
export type KeyRights = Partial<Pick<ApiKey, 'scopes' | 'networks' | 'operationsPerSecond' | 'priority'>>

/** Without credit at first. */
export type NewAccount = Omit<Account, 'id' | 'creditLimitMicros'>

export type NewApiKey = Omit<ApiKey, 'lastUsedAt'>

export interface KeyUse {
  readonly hash: string
  /** Milliseconds. */
  readonly at: number
}
