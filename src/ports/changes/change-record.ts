/** The audit record of an operator's change, written in its transaction. */
import type { AuditEntry } from '../../domain/accounts/audit.ts'

export interface ChangeRecord {
  /** The change is refused with a ChangeConflict unless the directory is still at this revision. */
  readonly revision: number
  readonly entries: readonly AuditEntry[]
  /** Null if the request came without a key, or an earlier change of the same request recorded it. */
  readonly request: AdminRequest | null
}

/** A request to the admin API that must be executed at most once. */
export interface AdminRequest {
  readonly actor: string
  /** The Idempotency-Key. */
  readonly key: string
  /** SHA-256 of the request: the same key for another request is a conflict. */
  readonly bodyHash: string
  /** Milliseconds. */
  readonly keepUntil: number
}

/** The record of an executed request. */
export interface ExecutedRequest {
  readonly bodyHash: string
  /** Null if the process ended between the change and the storing of its answer. */
  readonly answer: string | null
}
