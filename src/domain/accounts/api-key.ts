/** An API key: proves which account a client acts for, and limits what it may request. The key itself is not stored. */
import type { AccountId } from '../ids/account-id.ts'
import type { TrafficClass } from '../message/traffic-class.ts'

/** What a key may be used for. contract/operations/operation-scopes.ts says which operation needs which scope. */
export const KEY_SCOPES = ['send', 'otp', 'templates', 'balance', 'hooks', 'inbound', 'lookup'] as const

export type KeyScope = (typeof KEY_SCOPES)[number]

export interface ApiKey {
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string
  readonly accountId: AccountId
  /** For operators: what uses the key. Keys that replaced each other share it. */
  readonly name: string
  readonly scopes: readonly KeyScope[]
  /** Its messages reach only simulated phones and cost nothing: test-mode.ts. */
  readonly test: boolean
  /** Networks in CIDR form from which it is accepted, within those of the account; null for all. */
  readonly networks: readonly string[] | null
  /** Operations per second that it may request, within those of the account; null for the account's limit alone. */
  readonly operationsPerSecond: number | null
  /** The traffic class of what it sends, except mailings, and the highest that a request may ask for; null for none. */
  readonly priority: TrafficClass | null
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Milliseconds: from when on it is rejected; null for never. */
  readonly expiresAt: number | null
  /** Milliseconds, up to a minute late; null if never used. */
  readonly lastUsedAt: number | null
}

/** The key of a request: one of a client, or one that the gateway makes for a caller of the admin API. */
export interface KeyInUse extends ApiKey {
  /** Whose name it has; absent of keys of clients. */
  readonly usedBy?: 'operator' | 'user'
}

/** Returns the id under which operators and the log name a key. It reveals nothing of the key. */
export function keyIdOf({ hash }: Pick<ApiKey, 'hash'>): string {
  return hash.slice(0, 16)
}

/** What a key has unless it is given. */
export const KEY_DEFAULTS = {
  networks: null,
  operationsPerSecond: null,
  priority: null,
  expiresAt: null,
} as const satisfies Partial<ApiKey>
