/**
 * One gateway to a database file: a lock of the operating system, held by an open transaction on a second file, which
 * vanishes with the process however it ends. Tools for operators need no lock.
 */
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../ports/store-errors.ts'

/** Answers with what gives the lock back. Throws a StoreError when another has it for longer than `patienceMs`. */
export function lockForGateway(file: string, patienceMs: number): () => void {
  const lock = new DatabaseSync(`${file}.lock`, { timeout: patienceMs })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw new StoreError(`another gateway runs on ${file}: stop it first, or give this one a folder of its own`, {
      cause: error,
    })
  }
  return () => lock.close()
}
