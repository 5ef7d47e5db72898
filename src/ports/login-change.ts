/** What logging in changes: failures are counted, sessions open and are proven anew, users set their own secrets. */
import type { AdminToken } from '../domain/admin-user.ts'
import type { LoginKey } from '../domain/login-limits.ts'

export type LoginChange =
  /** Answers with the milliseconds to wait under one of the keys; 0 when the attempt may be made, and is counted. */
  | { readonly kind: 'count login'; readonly keys: readonly LoginKey[]; readonly at: number }
  /**
   * A counted attempt had the right password and code. Forgets the failures of the user and withdraws the attempt from
   * the other keys. Answers with 1; with 0, and has changed nothing, when the code of this time step was used before.
   */
  | {
      readonly kind: 'settle login'
      readonly user: LoginKey
      readonly others: readonly LoginKey[]
      /** Null for a user without codes. */
      readonly step: number | null
      readonly at: number
    }
  /** For the audit log alone. `user` is null for a name that no user has: what was typed is kept nowhere. */
  | { readonly kind: 'note failed login'; readonly user: string | null; readonly address: string | null }
  | { readonly kind: 'open session'; readonly token: AdminToken }
  /** The user of the session has proven again who asks. */
  | { readonly kind: 'prove session'; readonly user: string; readonly label: string; readonly at: number }
  /** Every token and session of the user ends, but the one with this label. */
  | {
      readonly kind: 'set admin secrets'
      readonly user: string
      readonly passwordHash: string | null
      readonly totpSecret: string | null
      readonly keepToken: string | null
    }
