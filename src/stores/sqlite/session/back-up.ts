/**
 * Copies the database as of one moment while a gateway keeps writing to it. The copy gets its name only once it is
 * complete and on disk, and never replaces a file.
 */
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, statSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../../ports/records/store-errors.ts'
import { BUSY_TIMEOUT_MS } from './open-database.ts'

/** Pages per step; between two steps others may use the disk. */
const STEP_PAGES = 1_000

/** Returns the bytes of the copy. Rejects, and leaves no file, if `copy` exists or cannot be written. */
export async function backUp(file: string, copy: string): Promise<number> {
  if (existsSync(copy)) refuse(copy)
  const draft = `${copy}.${process.pid}.draft`
  closeSync(openSync(draft, 'wx', 0o600))
  try {
    await copyPages(file, draft)
    sync(draft)
    giveName(draft, copy)
  } finally {
    for (const each of [draft, `${draft}-journal`]) if (existsSync(each)) unlinkSync(each)
  }
  sync(dirname(copy))
  return statSync(copy).size
}

async function copyPages(file: string, draft: string): Promise<void> {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    // Fixes the moment of the copy: while this transaction is open, the steps see nothing newer and never start over,
    // however much is written.
    database.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    await backup(database, draft, { rate: STEP_PAGES })
  } finally {
    database.close()
  }
}

/** Linking fails if the name is taken; some file systems have no links. */
function giveName(draft: string, copy: string): void {
  try {
    linkSync(draft, copy)
  } catch {
    if (existsSync(copy)) refuse(copy)
    renameSync(draft, copy)
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

function refuse(copy: string): never {
  throw new StoreError(`${copy} already exists: choose another file for the backup`)
}
