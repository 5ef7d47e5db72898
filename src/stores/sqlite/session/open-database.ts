/**
 * Opens the database for an engine: settings, migrations, the gateway's lock and its node number. Assigning a number
 * makes all messages due that an earlier node held; claims do the same for its reports (claim-reports.ts).
 */
import { closeSync, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { OnMigration } from '../../../ports/records/migration.ts'
import { refuseToWork } from '../../move/mark.ts'
import { makePrivateFolder, syncFolder } from '../../vault/durable-folder.ts'
import { migrate, needsMigration } from '../schema/schema.ts'
import { SqlStatement } from '../statement/statement.ts'
import { lockForGateway } from './gateway-lock.ts'
import { findMark } from './moving.ts'

/**
 * `gateway` processes messages and is the only one on its file; a `tool` reads and changes beside it and holds nothing.
 */
export type DatabaseRole = 'gateway' | 'tool'

export interface OpenDatabase {
  readonly database: DatabaseSync
  /** 0 for a tool. */
  readonly node: number
  /**
   * Runs the work if this is a tool and no gateway runs on the file, and keeps gateways out until it is done. Returns
   * whether it ran.
   */
  whileAlone(work: () => void): boolean
  close(): void
}

/** How long a tool waits for a gateway's transaction and vice versa. */
export const BUSY_TIMEOUT_MS = 5_000

/**
 * FULL: a commit is on disk once it is answered. A gateway copies the log in a thread of its own (worker-runner.ts);
 * the engine does it only when the log is much longer, so that the log begins anew although commits never pause.
 * The cache is small: in files below 1 GiB, a commit that has split a page looks at every page in it (see
 * docs/decisions/0045). Deleted data is overwritten, because it may be personal.
 */
const SETTINGS = `
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 16000;
  PRAGMA cache_size = -8192;
  PRAGMA temp_store = MEMORY;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
`

/** Throws a StoreError if another gateway runs on the file, it was moved, or a newer Posthorn has written it. */
export function openDatabase(file: string, role: DatabaseRole, onMigration?: OnMigration): OpenDatabase {
  createPrivate(file)
  const unlock = role === 'gateway' ? lockForGateway(file, 0) : () => {}
  try {
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    try {
      if (needsMigration(database)) migrateFile(database, file, { role, onMigration })
      // A file rewritten by other tools, for example with VACUUM INTO, has lost it.
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

/** The same on a database in memory, or one that outlives the store: closing the store leaves it open. */
export function adoptDatabase(database: DatabaseSync, role: DatabaseRole, onMigration?: OnMigration): OpenDatabase {
  if (needsMigration(database)) migrate(database, onMigration)
  return { ...setUp(database, role), whileAlone: () => false, close: () => {} }
}

function setUp(database: DatabaseSync, role: DatabaseRole): Pick<OpenDatabase, 'database' | 'node'> {
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

/** A tool may migrate the file only while no gateway runs on it. */
function migrateFile(
  database: DatabaseSync,
  file: string,
  { role, onMigration }: { readonly role: DatabaseRole; readonly onMigration: OnMigration | undefined },
): void {
  const unlock = role === 'tool' ? lockForGateway(file, BUSY_TIMEOUT_MS) : () => {}
  try {
    database.exec('PRAGMA journal_mode = WAL')
    migrate(database, onMigration)
  } finally {
    unlock()
  }
}

function takeNode(database: DatabaseSync): number {
  database.exec('BEGIN IMMEDIATE')
  const node = new SqlStatement<[number]>(database, 'UPDATE meta SET node = node + 1 RETURNING node').first()?.[0] ?? 1
  database.exec('UPDATE due SET node = 0, tenant = 0, due_at = 0 WHERE node <> 0; COMMIT')
  return node
}

/** The files contain phone numbers and texts: only their owner may read them. */
export function createPrivate(file: string): void {
  const isThere = existsSync(file)
  makePrivateFolder(dirname(file))
  for (const each of [file, `${file}.lock`]) {
    // Closing any descriptor of a file gives up all locks that this process has on it, those of SQLite too.
    if (!existsSync(each)) closeSync(openSync(each, 'a', 0o600))
  }
  if (!isThere) syncFolder(dirname(file))
}
