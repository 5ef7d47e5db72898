/** What operators change of an account itself: who it is, what it may do, what opens it and what signs its reports. */
import type { Account, AccountId, AccountSettings, AccountState } from '../domain/account.ts'
import type { ApiKey } from '../domain/api-key.ts'

export type AccountChange =
  | { readonly kind: 'create account'; readonly account: NewAccount }
  /** What is absent stays. Closing takes the keys away, and a closed account gets no state and no key any more. */
  | {
      readonly kind: 'set account'
      readonly accountId: AccountId
      readonly name?: string
      readonly state?: AccountState
      readonly settings?: AccountSettings
    }
  /** `oldUntil`: until when all but the first of them sign; absent for as long as they are there. */
  | {
      readonly kind: 'set hook secrets'
      readonly accountId: AccountId
      readonly hookSecrets: readonly string[]
      readonly oldUntil?: number
    }
  /** `replaces` is a key of the same account, which from now on expires then. */
  | {
      readonly kind: 'add key'
      readonly key: NewApiKey
      readonly replaces?: { readonly hash: string; readonly expiresAt: number }
    }
  /** All of them, or none when one is not there. */
  | { readonly kind: 'remove keys'; readonly accountId: AccountId; readonly hashes: readonly string[] }

/** It has no credit at first. */
export type NewAccount = Omit<Account, 'id' | 'creditLimitMicros'>

export type NewApiKey = Omit<ApiKey, 'lastUsedAt'>

export interface KeyUse {
  readonly hash: string
  /** Milliseconds. */
  readonly at: number
}
