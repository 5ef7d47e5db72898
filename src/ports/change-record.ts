/** What is written down beside an operator's change, in its transaction. */
import type { AuditEntry } from '../domain/audit.ts'

export interface ChangeRecord {
  /** The change is refused with a ChangeOvertaken when the directory is no longer at this revision. */
  readonly revision: number
  readonly entries: readonly AuditEntry[]
  /** Null when the request came without a key, or has been written down by an earlier change of it. */
  readonly request: AdminRequest | null
}

/** A request to the admin API that must be executed at most once. */
export interface AdminRequest {
  readonly actor: string
  /** The Idempotency-Key. */
  readonly key: string
  /** SHA-256 of what was asked: the same key for something else is a conflict. */
  readonly bodyHash: string
  /** Milliseconds. */
  readonly keepUntil: number
}

/** What is remembered of one that was executed. */
export interface ExecutedRequest {
  readonly bodyHash: string
  /** Null when the process ended between the change and the keeping of its answer. */
  readonly answer: string | null
}
