/** A folder in memory for the temporary files of a run of tests, where the system has a file system for that. */
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'

const IN_MEMORY = '/dev/shm'
/** Databases of the tests that run at a time, with plenty to spare. Containers often have 64 MB. */
const MIN_FREE_BYTES = 4 * 2 ** 30

/** Returns a new folder that is removed when the process ends; null without enough memory for one. */
export function folderInMemory(): string | null {
  if (freeBytes() < MIN_FREE_BYTES) return null
  const folder = mkdtempSync(`${IN_MEMORY}/posthorn-tests-`)
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o755)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function freeBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize
  } catch {
    return 0
  }
}
