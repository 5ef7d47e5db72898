/** Users of the admin API: operators, and users of an account. Each has a name and one role. */
import type { AccountId } from '../ids/account-id.ts'
import type { AccountState } from './account.ts'

/**
 * `owner`: everything. `operator`: carriers, routes, accounts, not money and not other users. `finance`: money and
 * prices. `support`: reads messages, without their texts. `auditor`: reads everything but texts, changes nothing.
 */
export const OPERATOR_ROLES = ['owner', 'operator', 'finance', 'support', 'auditor'] as const

/**
 * Roles of users who belong to an account and see nothing else. `client-admin`: reads it, and manages its keys, hooks
 * and users. `client-reader`: reads it.
 */
export const CLIENT_ROLES = ['client-admin', 'client-reader'] as const
export type ClientRole = (typeof CLIENT_ROLES)[number]

export const ROLES = [...OPERATOR_ROLES, ...CLIENT_ROLES] as const
export type Role = (typeof ROLES)[number]

/** Users that an account may have, disabled ones included. */
export const MAX_ACCOUNT_USERS = 100

export interface AdminUser {
  /** Unique; the actor in the audit log. */
  readonly name: string
  readonly role: Role
  /** The account of a user with a client role, which never changes; null for operators. */
  readonly accountId: AccountId | null
  /** Tokens of a disabled user are rejected. */
  readonly state: 'active' | 'disabled'
  /** As hash-password.ts writes it; null for a user that has only tokens. */
  readonly passwordHash: string | null
  /** Secret of the one-time codes, base 32; null before set-up. Stored sealed. */
  readonly totpSecret: string | null
  /** Of a user who signs in with the firm's account, and in no other way: issuer, a space, `sub`. Null otherwise. */
  readonly subject: string | null
}

/** Characters of a subject. */
export const MAX_SUBJECT = 600

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

/** Sessions that a user may have: a further login ends the oldest one. */
export const MAX_SESSIONS = 20

/** Whether the token was made by logging in. */
export function isSession({ provedAt }: Pick<AdminToken, 'provedAt'>): boolean {
  return provedAt !== null
}

/** Returns whether a label is like those of sessions, which issued tokens must not have. */
export function isSessionLabel(label: string): boolean {
  return /^session [0-9a-f]{12}$/.test(label)
}

/** How long after that proof a session may change money, secrets and roles. */
export const PROOF_MS = 600_000

function isClientRole(role: Role): role is ClientRole {
  return (CLIENT_ROLES as readonly Role[]).includes(role)
}

/**
 * Returns the full name of a new user: users of account 3 are called `anna@3`. So the names that an account may choose
 * are its own, and a refused name reveals nothing about the users of others.
 */
export function userNameIn(accountId: AccountId | null, name: string): string {
  const ending = `@${accountId}`
  return accountId === null || name.endsWith(ending) ? name : `${name}${ending}`
}

/** Returns why the user cannot be stored; null if it can. `before` is the stored user of this name. */
export function refuseUser(
  { name, role, accountId, subject }: AdminUser,
  before: Pick<AdminUser, 'accountId'> | null,
): string | null {
  if (isClientRole(role) !== (accountId !== null)) {
    return isClientRole(role) ? `a ${role} needs an account` : `a user of an account cannot be ${role}`
  }
  if (accountId !== null && subject !== null) return "users of accounts do not sign in with the firm's account"
  if (before !== null) return before.accountId === accountId ? null : `user ${name} cannot be moved between accounts`
  if (accountId === null) return /@\d+$/.test(name) ? 'names that end in @ and digits are for users of accounts' : null
  return name === userNameIn(accountId, name)
    ? null
    : `the name of a user of account ${accountId} must end in @${accountId}`
}

/** Whether the user may log in and use tokens. `account` is the state of the user's account; null without one. */
export function mayLogIn({ state, accountId }: AdminUser, account: AccountState | null): boolean {
  return state === 'active' && (accountId === null || (account !== null && account !== 'closed'))
}
