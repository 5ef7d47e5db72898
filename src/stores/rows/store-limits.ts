/** When a store refuses to work at all, whichever database it has. */
import { StoreError } from '../../ports/store-errors.ts'

export function storeClosed(): StoreError {
  return new StoreError('the store is closed')
}

/** Throws a StoreError for a database that a newer release has written. */
export function requireKnownVersion(version: number, known: number): void {
  if (version > known) {
    throw new StoreError(`the database has version ${version} and this Posthorn knows ${known}: use a newer Posthorn`)
  }
}

/** Throws a RangeError. */
export function requireIdCount(count: number): void {
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`${count} is not a number of ids`)
}

/** The first of `count` ids that were reserved up to `next`; undefined stands for none left. */
export function firstReserved(next: number | undefined, count: number): number {
  if (next === undefined) throw new RangeError('there are no message ids left')
  return next - count
}
