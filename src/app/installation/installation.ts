/**
 * An installation: a database, as a file in the data folder or on a PostgreSQL server, and the key that seals its
 * secrets. The only module that opens it.
 */
import { chmodSync, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeOperators } from '../../domain/numbers/operator-table.ts'
import type { CommitTimer } from '../../ports/records/commit-timer.ts'
import type { OnMigration } from '../../ports/records/migration.ts'
import { ChangeRefused } from '../../ports/records/store-errors.ts'
import type { Store } from '../../ports/stores/store.ts'
import { nameDatabase } from '../../stores/postgres/connection/database-hosts.ts'
import { holdsInstallation, migrateDatabase, openPostgresStore } from '../../stores/postgres/open-store.ts'
import { openSqliteStore } from '../../stores/sqlite/open-store.ts'
import { backUp } from '../../stores/sqlite/session/back-up.ts'
import { VERSIONS } from '../../stores/tables/changes.ts'
import { makePrivateFolder } from '../../stores/vault/durable-folder.ts'
import { type KeySource, makeKeyFile, readKeys } from '../../stores/vault/key-ring.ts'
import type { Config } from '../settings/config.ts'
import { systemClock } from '../system/system-clock.ts'
import { firstOperators } from './first-operators.ts'
import { InstallationError } from './installation-error.ts'

/** Revision of an unchanged directory. */
const FIRST_REVISION = 1

export interface OpenOptions {
  readonly role: 'gateway' | 'tool'
  /** Uses this thread if the database is a file. */
  readonly inline?: boolean
  /** Work may be due that this node does not know of, because other nodes joined or left. */
  readonly onDue?: () => void
  /** This node was declared dead: it can no longer write, and other nodes do its work. */
  readonly onLost?: (reason: string) => void
  /** Repairs at start, for the log. */
  readonly onWarning?: (line: string) => void
  readonly onMigration?: OnMigration
  readonly timeCommit?: CommitTimer
}

/** Rejects if unknown. */
async function hasInstallation(config: Config): Promise<boolean> {
  return config.database === null ? existsSync(databaseFile(config)) : holdsInstallation(config.database)
}

/** Location of the data for display, without secrets of an address. */
export function placeOfData(config: Config): string {
  return config.database === null ? config.dataDir : `the database ${nameDatabase(config.database)}`
}

/**
 * Creates the data folder, the secret key and the database. If the installation exists, returns false and only migrates
 * an older database. Throws InstallationError if the database exists and its key is missing.
 */
export async function createInstallation(config: Config, onMigration: OnMigration = () => {}): Promise<boolean> {
  if (await hasInstallation(config)) {
    await (await openInstallation(config, { role: 'tool', inline: true, onMigration })).close()
    return false
  }
  const keys = keySourceOf(config)
  if (config.database === null || keys.kind === 'file') makePrivateFolder(config.dataDir)
  if (keys.kind === 'file' && !existsSync(keys.path)) makeKeyFile(keys.path)
  await (await openStore(config, { role: 'tool', inline: true })).close()
  return true
}

/**
 * Opens the store of an installation. Throws InstallationError if there is none, so that a mistyped folder or an
 * unmounted volume does not become a second, empty installation; and if its key is missing, because a new key would
 * open nothing and take the place of the right one. A plain Error names problems of the keys.
 */
export async function openInstallation(config: Config, options: OpenOptions): Promise<Store> {
  const keys = keySourceOf(config)
  if (config.database === null && config.role !== 'all' && options.role === 'gateway') {
    throw new InstallationError(`--role ${config.role} requires a shared database: give it with --database`)
  }
  if (!(await hasInstallation(config))) throw noInstallation(config)
  if (keys.kind === 'file' && !existsSync(keys.path)) {
    const where = config.database === null ? databaseFile(config) : placeOfData(config)
    throw new InstallationError(
      `the key file ${keys.path} is missing, without which the texts and secrets in ${where} cannot be read: ` +
        'copy it there from the first gateway or a backup, or give its path with --secret-key-file',
    )
  }
  return openStore(config, options)
}

/** Names what to check and the command that creates an installation. */
function noInstallation(config: Config): InstallationError {
  const [check, flag] =
    config.database === null
      ? ['--data-dir, and that its volume is mounted', `--data-dir ${config.dataDir}`]
      : ['--database', '--database …']
  return new InstallationError(
    `no installation in ${placeOfData(config)}: check ${check}, or create one with 'posthorn init ${flag}'`,
  )
}

async function openStore(config: Config, options: OpenOptions): Promise<Store> {
  const keys = keySourceOf(config)
  readKeys(keys)
  const { database: url, role } = config
  if (url === null) closeToOthers(databaseFile(config), options)
  const store =
    url === null
      ? await openSqliteStore({ file: databaseFile(config), keys, ...options })
      : await openPostgresStore({
          url,
          keys,
          clock: systemClock,
          ...options,
          role: options.role === 'tool' ? 'tool' : role,
        })
  try {
    const { revision } = await store.loadDirectory()
    if (revision === FIRST_REVISION) await addFirstOperators(store)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Files of SQLite and ours beside the database file. */
const DATABASE_FILES = ['', '-wal', '-shm', '.lock']

/** Restored copies may be readable by other users: restricts their modes. Throws InstallationError. */
function closeToOthers(file: string, { onWarning = () => {} }: OpenOptions): void {
  // Windows has no such modes.
  if (process.platform === 'win32') return
  for (const path of DATABASE_FILES.map((end) => file + end)) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
    if ((mode & 0o077) === 0) continue
    try {
      chmodSync(path, 0o600)
    } catch {
      throw new InstallationError(
        `${path} is accessible to other users and belongs to another user; run: chmod 600 ${path}`,
      )
    }
    onWarning(`${path} was accessible to other users; its mode is now 0600`)
  }
}

/** Returns the version of the schema that this program uses. */
export function schemaVersion({ database }: Config): number {
  return VERSIONS[database === null ? 'sqlite' : 'postgres'].present
}

/** Migrates the database to this version, and tables distributed over servers afterwards. */
export async function migrateInstallation(
  config: Config,
  spread: boolean,
  onMigration: OnMigration,
): Promise<readonly string[]> {
  if (config.database !== null) return migrateDatabase(config.database, spread, onMigration)
  await (await openInstallation(config, { role: 'tool', inline: true, onMigration })).close()
  return []
}

/** Copies the database to a new file, even while in use; returns its bytes. Rejects if it is not a file. */
export async function backUpInstallation(config: Config, copy: string): Promise<number> {
  if (config.database !== null) {
    throw new InstallationError(
      `back up ${placeOfData(config)} with PostgreSQL's tools: pg_dump for a copy, a base backup with the archive of ` +
        'the WAL (PITR) to lose nothing',
    )
  }
  if (!(await hasInstallation(config))) throw new InstallationError(`there is no installation in ${config.dataDir}`)
  if (!existsSync(dirname(copy))) throw new InstallationError(`there is no folder ${dirname(copy)}: create it first`)
  return backUp(databaseFile(config), copy)
}

/** Fills the operator table of a new installation; never changes one that was imported or emptied. */
async function addFirstOperators(store: Store): Promise<void> {
  const operators = writeOperators(firstOperators())
  try {
    await store.change({ kind: 'all', revision: FIRST_REVISION, changes: [{ kind: 'set operators', operators }] })
  } catch (error) {
    // Another process has created the same installation, or already changed it.
    if (!(error instanceof ChangeRefused)) throw error
  }
}

/** Returns where the keys are: in the environment or in a file. */
export function keySourceOf({ dataDir, secretKey, secretKeyFile }: Config): KeySource {
  if (secretKey !== null) return { kind: 'given', name: 'POSTHORN_SECRET_KEY', keys: secretKey }
  return { kind: 'file', path: secretKeyFile ?? join(dataDir, 'secret.key') }
}

/** Returns the database file, if it is one. */
export function databaseFile(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'posthorn.db')
}
