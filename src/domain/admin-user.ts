/** Operators: users and programs with names of their own, each with one role. */

/**
 * `owner`: everything. `operator`: carriers, routes, accounts, not money and not other users. `finance`: money and
 * prices. `support`: reads messages, without their texts. `auditor`: reads everything but texts, changes nothing.
 */
export const ROLES = ['owner', 'operator', 'finance', 'support', 'auditor'] as const
export type Role = (typeof ROLES)[number]

export interface AdminUser {
  /** Unique; the actor in the audit log. */
  readonly name: string
  readonly role: Role
  /** Tokens of a disabled user are rejected. */
  readonly state: 'active' | 'disabled'
  /** As hash-password.ts writes it; null for a user that has only tokens. */
  readonly passwordHash: string | null
  /** Secret of the one-time codes, base 32; null before set-up. Stored sealed. */
  readonly totpSecret: string | null
}

export interface AdminToken {
  /** SHA-256 of the token, hexadecimal; the token itself is not stored. */
  readonly hash: string
  /** Name of the user. */
  readonly user: string
  /** Unique among the tokens of the user: where the token is used. */
  readonly label: string
  readonly createdAt: number
  /** Milliseconds; null for no expiry. */
  readonly expiresAt: number | null
  /** Of a session: when the user last proved password and code, milliseconds. Null for a token issued by an owner. */
  readonly provedAt: number | null
}

/** How long after that proof a session may change money, secrets and roles. */
export const PROOF_MS = 600_000
