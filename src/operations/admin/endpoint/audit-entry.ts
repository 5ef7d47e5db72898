/** Entries of the audit log about a change: its subject, the values before and after. They contain no secrets. */
import { hideInAddresses } from '../../../domain/accounts/audit.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { viewOf } from '../fields/fields.ts'
import type { AuditFacts } from './change.ts'
import { findSame, type Resource } from './resource.ts'

export function entry(subject: string, before: unknown, after: unknown): AuditFacts {
  return { subject, before: hideInAddresses(before), after: hideInAddresses(after) }
}

/** For a change that leaves no entry. */
export function noEntry(): readonly AuditFacts[] {
  return []
}

export function itemSet<T extends object>(resource: Resource<T>, item: T, rows: DirectoryRows): AuditFacts {
  return itemEntry(resource, { item, after: viewerOf(resource)(item) }, rows)
}

/** `key` has at least the key fields of the item. */
export function itemRemoved<T extends object>(resource: Resource<T>, key: Partial<T>, rows: DirectoryRows): AuditFacts {
  return itemEntry(resource, { item: key, after: null }, rows)
}

function itemEntry<T extends object>(
  resource: Resource<T>,
  { item, after }: { readonly item: Partial<T>; readonly after: object | null },
  rows: DirectoryRows,
): AuditFacts {
  const before = findSame(resource, item, rows)
  const subject = (resource.subject ?? resource.describe)(before ?? (item as T))
  const shown = before === null ? null : viewerOf(resource)(before)
  // Carriers hide their secrets themselves, and the queries of their addresses are templates.
  return resource.isSecret === undefined ? entry(subject, shown, after) : { subject, before: shown, after }
}

function viewerOf<T extends object>({ fields, audited }: Resource<T>): (item: T) => object {
  return audited ?? ((item) => viewOf(fields, item))
}

/** Returns the fields that differ between the two objects. */
export function differenceOf(before: object, after: object): readonly [before: object, after: object] {
  const changed = (one: object, other: object) =>
    Object.fromEntries(
      Object.entries(one).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(Object(other)[name])),
    )
  return [changed(before, after), changed(after, before)]
}
