/**
 * Opens the database for an engine: settings, migrations, the gateway's lock and its node number. Taking a number makes
 * everything that an earlier node held due at once.
 */
import { closeSync, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { refuseToWork } from '../move/mark.ts'
import { makePrivateFolder, syncFolder } from '../vault/durable-folder.ts'
import { lockForGateway } from './gateway-lock.ts'
import { findMark } from './moving.ts'
import { migrate, needsMigration } from './schema.ts'
import { Statement } from './statement.ts'

/** `gateway` runs messages and is alone on its file; a `tool` changes and reads beside it and holds nothing. */
export type Role = 'gateway' | 'tool'

export interface OpenDatabase {
  readonly database: DatabaseSync
  /** 0 for a tool. */
  readonly node: number
  /** Does the work if this is a tool and no gateway runs on the file, and keeps gateways off meanwhile. Whether it did. */
  whileAlone(work: () => void): boolean
  close(): void
}

/** How long a tool waits for a gateway's transaction and the other way round. */
const BUSY_TIMEOUT_MS = 5_000

/**
 * FULL: a commit is on disk when it is answered. A larger log than usual, for checkpoints write the hot pages again. What
 * is deleted is overwritten, for it may be somebody's.
 */
const SETTINGS = `
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 4000;
  PRAGMA cache_size = -65536;
  PRAGMA temp_store = MEMORY;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
`

/** Throws a StoreError when another gateway runs on the file, it was moved, or a newer Posthorn has written it. */
export function openDatabase(file: string, role: Role): OpenDatabase {
  createPrivate(file)
  const unlock = role === 'gateway' ? lockForGateway(file, 0) : () => {}
  try {
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    try {
      if (needsMigration(database)) migrateFile(database, file, role)
      // A file that was made anew by other tools, as by VACUUM INTO, has lost it.
      if (role === 'gateway') database.exec('PRAGMA journal_mode = WAL')
      const whileAlone = role === 'tool' ? (work: () => void) => workAlone(file, work) : () => false
      const close = () => {
        database.close()
        unlock()
      }
      return { ...setUp(database, role), whileAlone, close }
    } catch (error) {
      database.close()
      throw error
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** The same on a database in memory, or on one that outlives the store: closing leaves it open. */
export function adoptDatabase(database: DatabaseSync, role: Role): OpenDatabase {
  if (needsMigration(database)) migrate(database)
  return { ...setUp(database, role), whileAlone: () => false, close: () => {} }
}

function setUp(database: DatabaseSync, role: Role): Pick<OpenDatabase, 'database' | 'node'> {
  refuseToWork(findMark(database))
  database.exec(SETTINGS)
  return { database, node: role === 'gateway' ? takeNode(database) : 0 }
}

function workAlone(file: string, work: () => void): boolean {
  let unlock: () => void
  try {
    unlock = lockForGateway(file, 0)
  } catch {
    return false
  }
  try {
    work()
    return true
  } finally {
    unlock()
  }
}

/** A tool may shape the file only while no gateway runs on it. */
function migrateFile(database: DatabaseSync, file: string, role: Role): void {
  const unlock = role === 'tool' ? lockForGateway(file, BUSY_TIMEOUT_MS) : () => {}
  try {
    database.exec('PRAGMA journal_mode = WAL')
    migrate(database)
  } finally {
    unlock()
  }
}

function takeNode(database: DatabaseSync): number {
  database.exec('BEGIN IMMEDIATE')
  const node = new Statement<[number]>(database, 'UPDATE meta SET node = node + 1 RETURNING node').first()?.[0] ?? 1
  database.exec(`
    UPDATE due SET node = 0, tenant = 0, due_at = 0 WHERE node <> 0;
    UPDATE report SET node = 0, due_at = 0 WHERE state = 'pending' AND node <> 0;
    COMMIT`)
  return node
}

/** The files hold phone numbers and texts: nobody but the owner reads them. */
export function createPrivate(file: string): void {
  const isThere = existsSync(file)
  makePrivateFolder(dirname(file))
  for (const each of [file, `${file}.lock`]) closeSync(openSync(each, 'a', 0o600))
  if (!isThere) syncFolder(dirname(file))
}
