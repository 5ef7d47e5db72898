/**
 * Copies the database as it is at one moment, while a gateway goes on writing to it. The copy has its name only when it is
 * whole and on the disk, and never replaces anything.
 */
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, statSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../ports/store-errors.ts'

/** Of one step, between which others may use the disk. */
const STEP_PAGES = 1_000

/** Answers with the bytes of the copy. Rejects, and leaves nothing, when `copy` is there or cannot be written. */
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
  const database = new DatabaseSync(file)
  try {
    // The moment of the copy. While this transaction is open the steps of the copy see nothing newer, so that they never
    // begin anew, however much is written meanwhile.
    database.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    await backup(database, draft, { rate: STEP_PAGES })
  } finally {
    database.close()
  }
}

/** A link is refused where the name is taken by now; some file systems have none. */
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
  throw new StoreError(`${copy} is there already, and a backup replaces nothing: name another file`)
}
