/** When a store refuses to open, whichever database it uses. */

import { StoreError } from '../../../ports/records/store-errors.ts'
import type { Versions } from '../../tables/changes.ts'

export function storeClosed(): StoreError {
  return new StoreError('the store is closed')
}

/** Throws a StoreError for an unsupported database version; 0 is a new database. */
export function requireKnownVersion(version: number, { oldest, present }: Versions): void {
  if (version > present) {
    throw new StoreError(`the database has version ${version}, this Posthorn supports ${present}: use a newer Posthorn`)
  }
  if (version > 0 && version < oldest) {
    throw new StoreError(
      `the database has version ${version} and this Posthorn opens ${oldest} to ${present}: ` +
        'open it once with an earlier build that ends between them (docs/operations/install.md, "Upgrade")',
    )
  }
}

/** Throws a RangeError. */
export function requireIdCount(count: number): void {
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`${count} is not a number of ids`)
}

/** Returns the first of `count` ids that were reserved up to `next`; undefined means that none are left. */
export function firstReserved(next: number | undefined, count: number): number {
  if (next === undefined) throw new RangeError('there are no message ids left')
  return next - count
}
