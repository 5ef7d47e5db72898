/** An API key: what a client proves with who it is, and what it may ask for. The key itself is kept nowhere. */
import type { AccountId } from './account.ts'

/** What a key may be for. Which operation needs which is said in contract/operation-scopes.ts. */
export const KEY_SCOPES = ['send', 'otp', 'templates', 'balance'] as const

export type KeyScope = (typeof KEY_SCOPES)[number]

export interface ApiKey {
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string
  readonly accountId: AccountId
  /** For people: what the key is used by. Keys that replaced each other share it. */
  readonly name: string
  readonly scopes: readonly KeyScope[]
  /** Its messages reach simulated phones alone and cost nothing: test-mode.ts. */
  readonly test: boolean
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Milliseconds: from when on it opens nothing; null for never. */
  readonly expiresAt: number | null
  /** Milliseconds, up to a minute late; null while it was not used. */
  readonly lastUsedAt: number | null
}

/** A key as operators and the log name it: tells which one it is and nothing of what it is. */
export function keyIdOf({ hash }: Pick<ApiKey, 'hash'>): string {
  return hash.slice(0, 16)
}
