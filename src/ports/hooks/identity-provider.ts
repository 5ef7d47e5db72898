/** The firm's sign-in (OpenID Connect), as the admin API uses it. */
import type { Role } from '../../domain/accounts/admin-user.ts'

/** One attempt to sign in. The browser keeps it and presents it again with the provider's answer. */
export interface SignInAttempt {
  /** Page of the console to which the provider sends the browser back. */
  readonly returnTo: string
  /** Of one attempt; the provider repeats it. */
  readonly state: string
  /** Secret of the attempt, of which the provider first gets the hash (PKCE, RFC 7636). */
  readonly verifier: string
}

export interface Identity {
  /** The provider and its name for the user, which no other user ever gets: issuer, a space, `sub`. */
  readonly subject: string
  /** What the user is called there; null if the provider does not say. */
  readonly name: string | null
  readonly groups: readonly string[]
}

export interface IdentityProvider {
  /** What users call it, for the button. */
  readonly name: string
  /** The role that members of these groups have; null for none. */
  roleOf(groups: readonly string[]): Role | null
  /**
   * Returns where the browser signs in. `anew`: even if the user is signed in there. Throws IdentityRefused if the
   * provider does not answer.
   */
  begin(attempt: SignInAttempt, anew: boolean): Promise<string>
  /**
   * Exchanges the query of the address to which the browser came back. `anew`: the user must have signed in within the
   * last minutes. Throws IdentityRefused.
   */
  finish(attempt: SignInAttempt, query: string, anew: boolean): Promise<Identity>
  /** Returns where the browser signs out; null if the provider has no such page. Throws IdentityRefused. */
  signOut(returnTo: string): Promise<string | null>
}

/** The message is for the user, without secrets. */
export class IdentityRefused extends Error {
  override readonly name = 'IdentityRefused'
}
