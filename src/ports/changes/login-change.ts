/** Changes made by logging in: counted failures, opened and re-verified sessions, users' own secrets. */
import type { AdminToken, AdminUser } from '../../domain/accounts/admin-user.ts'
import type { CountedAttempt } from '../../domain/accounts/login-limits.ts'
import type { Passkey } from '../../domain/accounts/passkey.ts'

export type LoginChange =
  /** Returns the milliseconds to wait; 0 if the attempt may be made, which is then counted. */
  | { readonly kind: 'count login'; readonly attempt: CountedAttempt; readonly at: number }
  /**
   * A counted attempt of the user was right. Withdraws it, forgets the failures of the user at this address, and makes
   * the network of a login known. Returns 1; or 0, without any change, if the code of this time step was used before.
   */
  | {
      readonly kind: 'settle login'
      readonly user: string
      readonly attempt: CountedAttempt
      /** Null for a user without codes. */
      readonly step: number | null
      readonly at: number
    }
  /** Only for the audit log. `user` is null for an unknown name: what was typed is not stored. */
  | { readonly kind: 'note failed login'; readonly user: string | null }
  /** Allows one login of the user. Stores only the hash of the link's token. */
  | { readonly kind: 'add sign-in link'; readonly user: string; readonly hash: string; readonly expiresAt: number }
  /** Returns 1 and removes the token; 0 if it does not exist or has expired. */
  | { readonly kind: 'use one-time token'; readonly hash: string; readonly at: number }
  /** Allows one answer of an authenticator. Stores only the hash of the challenge. */
  | { readonly kind: 'add challenge'; readonly hash: string; readonly expiresAt: number }
  | { readonly kind: 'add passkey'; readonly passkey: Passkey }
  | { readonly kind: 'rename passkey'; readonly user: string; readonly name: string; readonly newName: string }
  /** Removes one passkey, or all for null, and ends the user's links and sessions but the one labelled `keepToken`. */
  | {
      readonly kind: 'remove passkeys'
      readonly user: string
      readonly name: string | null
      readonly keepToken: string | null
    }
  /** Returns 1 and keeps the counter of the signature; 0 if the passkey is gone or the signature is not a new one. */
  | { readonly kind: 'use passkey'; readonly id: string; readonly counter: number; readonly at: number }
  /**
   * The firm's provider says who the user is and which role they have: adds the user, or changes the role of one with
   * this subject who is active. Refused for any other user of the name.
   */
  | { readonly kind: 'admit user'; readonly user: AdminUser }
  | { readonly kind: 'open session'; readonly token: AdminToken }
  /** The user of the session proved their identity again. */
  | { readonly kind: 'prove session'; readonly user: string; readonly label: string; readonly at: number }
  /** Ends every token, session and sign-in link of the user except the token with this label. */
  | {
      readonly kind: 'set admin secrets'
      readonly user: string
      readonly passwordHash: string | null
      readonly totpSecret: string | null
      /** The code that proved a new secret, by its time step: no login accepts it again. Absent without one. */
      readonly usedCode?: number
      readonly keepToken: string | null
    }
