/**
 * The schema (tables/changes.ts); the table `schema_version` stores its version. If several nodes start together, one
 * of them migrates and the others wait. A database from a newer Posthorn is never touched.
 */
import type { OnMigration } from '../../../ports/records/migration.ts'
import { StoreError } from '../../../ports/records/store-errors.ts'
import { beginMigration } from '../../rows/setup/report-migration.ts'
import { requireKnownVersion } from '../../rows/setup/store-limits.ts'
import { statementsFrom, VERSIONS } from '../../tables/changes.ts'
import type { Link } from '../connection/link.ts'
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
export async function migrate(link: Link, onMigration?: OnMigration): Promise<void> {
  if (!(await needsMigration(link))) return
  const fault = faultOfServer((await link.query(SERVER))[0]?.[0] ?? 0)
  if (fault !== null) throw new StoreError(fault)
  let end = () => {}
  await link.run('BEGIN')
  try {
    await link.query(LOCK_SCHEMA, LOCK)
    if (await needsMigration(link)) {
      await link.run('CREATE TABLE IF NOT EXISTS schema_version AS SELECT 0 AS version')
      const version = await versionOf(link)
      end = beginMigration(version, PRESENT, onMigration)
      for (const sql of statementsFrom('postgres', version)) await link.run(sql)
      await link.query(SET_VERSION, PRESENT)
    }
    await link.run('COMMIT')
    end()
  } catch (error) {
    await link.run('ROLLBACK').catch(() => {})
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
export async function stateOf(link: Link): Promise<'new' | 'older' | 'present'> {
  if (!(await needsMigration(link))) return 'present'
  return (await versionOf(link)) === 0 ? 'new' : 'older'
}

/** Returns whether the database has a sealing key yet. */
export async function hasKey(link: Link): Promise<boolean> {
  return (await versionOf(link)) > 0 && (await link.query(SEALING_KEY))[0]?.[0] !== ''
}

async function needsMigration(link: Link): Promise<boolean> {
  const version = await versionOf(link)
  requireKnownVersion(version, VERSIONS.postgres)
  return version < PRESENT
}

async function versionOf(link: Link): Promise<number> {
  const [found] = await link.query(HAS_VERSION)
  if (found?.[0] !== 1) return 0
  return (await link.query(VERSION))[0]?.[0] ?? 0
}
