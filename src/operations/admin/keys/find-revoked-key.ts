/** Looks up a revoked API key in the audit log: nothing else is kept of it. */
import { keyIdOf } from '../../../domain/api-key.ts'
import { subjectOfKey } from '../../../domain/audit.ts'
import type { DirectoryRows } from '../../../domain/directory.ts'
import type { QueryStore } from '../../../ports/query-store.ts'

export interface RevokedKey {
  readonly account: number
  readonly name: string
  readonly id: string
  /** Milliseconds. */
  readonly revokedAt: number
}

/** Returns null if no key with this hash was revoked. */
export async function findRevokedKey(store: QueryStore, rows: DirectoryRows, hash: string): Promise<RevokedKey | null> {
  const id = keyIdOf({ hash })
  const bySubject = new Map(rows.accounts.map((account) => [subjectOfKey(id, account.id), account.id]))
  const found = await store.page({ of: 'audit', actor: null, subjects: [...bySubject.keys()], after: null, most: 1 })
  const [entry] = found.rows
  const account = bySubject.get(entry?.subject ?? '')
  if (entry === undefined || entry.after !== null || account === undefined) return null
  const { name } = entry.before as { readonly name: string }
  return { account, name, id, revokedAt: entry.at }
}
