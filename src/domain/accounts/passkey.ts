/** Passkeys (WebAuthn credentials) of admin users: a login and a proof without password and code. */

import type { AdminUser } from './admin-user.ts'

export interface Passkey {
  /** Credential id as the authenticator chose it, base64url. */
  readonly id: string
  /** Name of the user. */
  readonly user: string
  /** Unique among the passkeys of the user: which device has it. */
  readonly name: string
  /** COSE key, base64url. Not a secret. */
  readonly publicKey: string
  /** Signatures so far as the authenticator counts them; 0 for one that does not count. */
  readonly counter: number
  readonly createdAt: number
  /** Milliseconds; null before the first use. */
  readonly lastUsedAt: number | null
}

export const MAX_PASSKEYS = 20

/** Returns whether the counter of a new signature fits; a copy of an authenticator would repeat an earlier one. */
export function isNextSignature(known: number, sent: number): boolean {
  return sent > known || (sent === 0 && known === 0)
}

/** Returns whether the user can prove who they are: by password and codes, by a passkey, or by signing in anew. */
export function canProve(
  { name, passwordHash, totpSecret, subject }: AdminUser,
  passkeys: readonly Passkey[],
): boolean {
  const hasBoth = passwordHash !== null && totpSecret !== null
  return hasBoth || subject !== null || passkeys.some(({ user }) => user === name)
}
