/**
 * Defines one kind of change: who may make it, whose accounts it affects, and its words in the audit log. A definition
 * stands beside the rule and the endpoints of its change; changes/all-changes.ts collects them.
 */
import { ROLES, type Role } from '../../../domain/accounts/admin-user.ts'
import type { AuditEntry } from '../../../domain/accounts/audit.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { Change } from '../../../ports/stores/setup-store.ts'
import type { Actor } from './endpoint.ts'

export type SingleChange = Exclude<Change, { readonly kind: 'all' }>

export type ChangeKind = SingleChange['kind']

export type ChangeOf<K extends ChangeKind> = Extract<SingleChange, { readonly kind: K }>

/** Who may make a change. Endpoints restrict callers too, but one endpoint makes many changes: PUT /configuration. */
export interface ChangeRule {
  /** Subject of the change, for the refusal. */
  readonly what: string
  /** Operators. */
  readonly may: readonly Role[]
  /** A session must have proven password and code within the last PROOF_MS. */
  readonly proof?: true
}

/** Who changes their own access is the user; and logging in is itself a proof of identity. */
export const OWN_ACCESS: ChangeRule = { what: 'sessions', may: ROLES }

export type AuditFacts = Pick<AuditEntry, 'subject' | 'before' | 'after'>

/** `rows` are the directory before the change. */
export interface ChangeDefinition<K extends ChangeKind> extends ChangeRule {
  /** Returns the rule that applies instead to this caller, who changes their own access. */
  ownRule?(change: ChangeOf<K>, actor: Actor): ChangeRule | undefined
  /** Returns what of the change needs a proof, although the rule asks for none; null for nothing. */
  provenPart?(change: ChangeOf<K>, rows: DirectoryRows): string | null
  /** Returns the affected accounts, null for none. Client-admins may make it for their own; absent, they may not. */
  accounts?(change: ChangeOf<K>, rows: DirectoryRows): readonly (AccountId | null)[]
  /** Returns why a user of an account may not make it, such as for too many things in memory; null if it may. */
  refuseClients?(change: ChangeOf<K>, rows: DirectoryRows): string | null
  /** For logins and what users log in with: the user, null for an unknown one. Its entry shows the client address. */
  loginUser?(change: ChangeOf<K>): string | null
  /** Returns its entries in the audit log, without secrets. */
  audit(change: ChangeOf<K>, rows: DirectoryRows): AuditFacts | readonly AuditFacts[]
}

/** Some kinds of changes, as one file defines them. */
export type Changes = { readonly [K in ChangeKind]?: ChangeDefinition<K> }
