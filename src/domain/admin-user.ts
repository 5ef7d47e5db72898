/** Who runs the gateway: people and programs with names of their own, each with one role. */

/**
 * `owner`: everything. `operator`: carriers, routes, accounts, not money and not other users. `finance`: money and prices.
 * `support`: reads messages, without their texts. `auditor`: reads everything but texts, changes nothing.
 */
export const ROLES = ['owner', 'operator', 'finance', 'support', 'auditor'] as const
export type Role = (typeof ROLES)[number]

export interface AdminUser {
  /** Unique; what the audit log names. */
  readonly name: string
  readonly role: Role
  /** A disabled user's tokens open nothing. */
  readonly state: 'active' | 'disabled'
  /** As hash-password.ts made it; null for a user that has only tokens. */
  readonly passwordHash: string | null
  /** Of the one-time codes, base 32; null before it is set up. Kept sealed. */
  readonly totpSecret: string | null
}

export interface AdminToken {
  /** SHA-256 of the token, hexadecimal; the token itself is kept nowhere. */
  readonly hash: string
  /** The name of its user. */
  readonly user: string
  /** Unique among the tokens of the user: where it is used. */
  readonly label: string
  readonly createdAt: number
  /** Milliseconds; null for ever. */
  readonly expiresAt: number | null
  /** Of a session: when the user last proved password and code, milliseconds. Null for a token that an owner issued. */
  readonly provedAt: number | null
}

/** How long after that a session may change money, secrets and roles. */
export const PROOF_MS = 600_000
