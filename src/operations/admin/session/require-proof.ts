/** For changes of what a user logs in with, which a stolen token must not make. */
import { PROOF_MS } from '../../../domain/accounts/admin-user.ts'
import { canProve } from '../../../domain/accounts/passkey.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { ProofNeeded } from '../endpoint/admin-problem.ts'
import type { Actor } from '../endpoint/endpoint.ts'
import { requireSession } from '../endpoint/require-session.ts'
import { userRow } from '../fields/account-row.ts'

/**
 * Requires a session with a recent proof from users who have something to prove with. Throws ProofNeeded, or
 * ChangeRefused for a token that is no session.
 */
export function requireProof(actor: Actor, rows: DirectoryRows, what: string, now: number): void {
  if (!canProve(userRow(rows, actor.name), rows.passkeys)) return
  if (requireSession(actor, what).provedAt + PROOF_MS <= now) throw new ProofNeeded(what)
}

/** Whether the change concerns the caller's own user. False on the command line: its user is the machine's. */
export function isOwn({ name, token }: Actor, user: string): boolean {
  return token !== null && name === user
}
