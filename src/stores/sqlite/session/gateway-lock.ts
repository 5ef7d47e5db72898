/**
 * Allows one gateway per database file: an operating system lock, held by an open transaction on a second file, which
 * ends with the process in any case. Operator tools need no lock.
 */
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../../ports/records/store-errors.ts'

/**
 * Returns a function that releases the lock. Throws a StoreError if another process holds it for longer than
 * `patienceMs`.
 */
export function lockForGateway(file: string, patienceMs: number): () => void {
  const lock = new DatabaseSync(`${file}.lock`, { timeout: patienceMs })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw new StoreError(`another gateway runs on ${file}: stop it first, or use another data folder`, {
      cause: error,
    })
  }
  return () => lock.close()
}
