/** Writes the audit entries of a change from its definition. */
import type { AuditEntry } from '../../../domain/accounts/audit.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { Change } from '../../../ports/stores/setup-store.ts'
import { mapInSlices } from '../../../ports/system/slices.ts'
import type { AuditFacts, SingleChange } from '../endpoint/change.ts'
import type { Actor } from '../endpoint/endpoint.ts'
import { definitionOf } from './all-changes.ts'

/** Describes many changes in slices. `rows` are the directory before them. */
export async function describeChanges(change: Change, rows: DirectoryRows): Promise<readonly AuditFacts[]> {
  const describe = (each: SingleChange) => [definitionOf(each).audit(each, rows)].flat()
  return change.kind === 'all' ? (await mapInSlices(change.changes, describe)).flat() : describe(change)
}

/** Returns the entry with the address; a caller without a token has the name of the user who logs in. */
export function withLogin(
  entry: AuditEntry,
  change: Change,
  { name, token, address }: Pick<Actor, 'name' | 'token' | 'address'>,
): AuditEntry {
  const user = change.kind === 'all' ? undefined : definitionOf(change).loginUser?.(change)
  if (user === undefined || address === null) return entry
  const after = typeof entry.after === 'object' ? entry.after : {}
  return { ...entry, actor: token === null ? (user ?? name) : name, after: { ...after, address } }
}
