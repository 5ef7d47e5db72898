/**
 * The schema (tables/changes.ts); the table `schema_version` stores its version. If several nodes start together, one
 * of them migrates and the others wait. A database from a newer Posthorn is never touched.
 */
import type { OnMigration } from '../../../ports/records/migration.ts'
import { StoreError } from '../../../ports/records/store-errors.ts'
import { beginMigration } from '../../rows/setup/report-migration.ts'
import { requireKnownVersion } from '../../rows/setup/store-limits.ts'
import { statementsFrom, VERSIONS } from '../../tables/changes.ts'
import type { Connection } from '../connection/connection.ts'
import { rare } from '../connection/statement.ts'

const PRESENT = VERSIONS.postgres.present

/** The oldest server version that is tested, as server_version_num. */
const OLDEST_SERVER = 150_000

/** The advisory lock of migrations; any otherwise unused number. */
const LOCK = 7_678_672_310

const HAS_VERSION = rare<[has: number]>(`SELECT (to_regclass('schema_version') IS NOT NULL)::int`)
const VERSION = rare<[version: number]>('SELECT version FROM schema_version')
const SEALING_KEY = rare<[name: string]>('SELECT sealing_key FROM meta')
const SERVER = rare<[version: number]>(`SELECT current_setting('server_version_num')::integer`)
const LOCK_SCHEMA = rare('SELECT pg_advisory_xact_lock($1)')
const SET_VERSION = rare('UPDATE schema_version SET version = $1')

/**
 * Creates the tables or runs the missing steps, all or nothing. Throws a StoreError for an unsupported database version
 * or an old server.
 */
export async function migrate(connection: Connection, onMigration?: OnMigration): Promise<void> {
  if (!(await needsMigration(connection))) return
  const fault = faultOfServer((await connection.query(SERVER))[0]?.[0] ?? 0)
  if (fault !== null) throw new StoreError(fault)
  let end = () => {}
  await connection.run('BEGIN')
  try {
    await connection.query(LOCK_SCHEMA, LOCK)
    if (await needsMigration(connection)) {
      await connection.run('CREATE TABLE IF NOT EXISTS schema_version AS SELECT 0 AS version')
      const version = await versionOf(connection)
      end = beginMigration(version, PRESENT, onMigration)
      for (const sql of statementsFrom('postgres', version)) await connection.run(sql)
      await connection.query(SET_VERSION, PRESENT)
    }
    await connection.run('COMMIT')
    end()
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Returns why a server of this version, 150004 for 15.4, is too old; null if it is not. */
export function faultOfServer(version: number): string | null {
  if (version >= OLDEST_SERVER) return null
  const name = `${Math.floor(version / 10_000)}.${version % 10_000}`
  return `the server is PostgreSQL ${name}, and Posthorn needs ${OLDEST_SERVER / 10_000} or newer`
}

/**
 * Returns whether the schema is current, older, or missing in a new database. Throws a StoreError as `migrate` does.
 */
export async function stateOf(connection: Connection): Promise<'new' | 'older' | 'present'> {
  if (!(await needsMigration(connection))) return 'present'
  return (await versionOf(connection)) === 0 ? 'new' : 'older'
}

/** Returns whether the database has a sealing key yet. */
export async function hasKey(connection: Connection): Promise<boolean> {
  return (await versionOf(connection)) > 0 && (await connection.query(SEALING_KEY))[0]?.[0] !== ''
}

async function needsMigration(connection: Connection): Promise<boolean> {
  const version = await versionOf(connection)
  requireKnownVersion(version, VERSIONS.postgres)
  return version < PRESENT
}

async function versionOf(connection: Connection): Promise<number> {
  const [found] = await connection.query(HAS_VERSION)
  if (found?.[0] !== 1) return 0
  return (await connection.query(VERSION))[0]?.[0] ?? 0
}
