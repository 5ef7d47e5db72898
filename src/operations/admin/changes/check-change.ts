/**
 * Checks every change against its definition, beside the check of the endpoint (client-scope.ts): a document with many
 * changes (PUT /configuration) permits nothing that the endpoint of a single change refuses.
 */
import { PROOF_MS } from '../../../domain/accounts/admin-user.ts'
import { canProve } from '../../../domain/accounts/passkey.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { Change } from '../../../ports/stores/setup-store.ts'
import { AdminProblem, ProofNeeded, refuseRole } from '../endpoint/admin-problem.ts'
import { CLIENT_ADMINS } from '../endpoint/client-access.ts'
import type { Actor } from '../endpoint/endpoint.ts'
import { definitionOf } from './all-changes.ts'

/** Throws AdminProblem naming what the role may not change. */
export function checkMayChange(actor: Actor, change: Change): void {
  if (change.kind === 'all') {
    for (const each of change.changes) checkMayChange(actor, each)
    return
  }
  const definition = definitionOf(change)
  const { what, may: operators } = definition.ownRule?.(change, actor) ?? definition
  const may = definition.accounts === undefined ? operators : [...operators, ...CLIENT_ADMINS]
  if (!may.includes(actor.role)) throw new AdminProblem(403, refuseRole(actor.role, `change ${what}`, may))
}

/**
 * Throws ProofNeeded if the change needs a proof and the session's is too old. A user who has nothing to prove with
 * could set it up without a proof, so asking for one would protect nothing.
 */
export function checkProof(actor: Actor, change: Change, rows: DirectoryRows, now: number): void {
  if (change.kind === 'all') {
    for (const each of change.changes) checkProof(actor, each, rows, now)
    return
  }
  const { session, name } = actor
  if (session === null || session.provedAt + PROOF_MS > now) return
  const definition = definitionOf(change)
  const { what, proof = false } = definition.ownRule?.(change, actor) ?? definition
  const proven = definition.provenPart?.(change, rows) ?? (proof ? what : null)
  const user = rows.adminUsers.find((each) => each.name === name)
  if (proven !== null && user !== undefined && canProve(user, rows.passkeys)) throw new ProofNeeded(proven)
}

/**
 * Throws AdminProblem if a user of an account changes anything that is not of the account, and ChangeRefused if it
 * would have too much of something. Checks against the very directory that the change is made in.
 */
export function checkClientChange({ account }: Actor, change: Change, rows: DirectoryRows): void {
  if (account === null || change.kind === 'all') return
  const definition = definitionOf(change)
  const isOthers = definition.accounts?.(change, rows).some((owner) => owner !== account) === true
  if (isOthers) throw new AdminProblem(404, 'there is no such thing')
  const refusal = definition.refuseClients?.(change, rows) ?? null
  if (refusal !== null) throw new ChangeRefused(refusal)
}
