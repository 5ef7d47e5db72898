/**
 * The shape of the database, by numbered migrations; the table `schema_version` says how many of them have run. Nodes may
 * start together: one of them runs what is missing, the others wait for it. A database from a newer Posthorn is never
 * touched.
 */
import { StoreError } from '../../ports/store-errors.ts'
import { requireKnownVersion } from '../rows/store-limits.ts'
import type { Link } from './link.ts'
import { SET_UP } from './migrations/0001-set-up.ts'
import { TRAFFIC } from './migrations/0002-traffic.ts'
import { SEATS } from './migrations/0003-seats.ts'
import { NODES } from './migrations/0004-nodes.ts'
import { MOVING } from './migrations/0005-moving.ts'
import { PARTITIONS } from './migrations/0006-partitions.ts'
import { SESSIONS } from './migrations/0007-sessions.ts'
import { REPLICATION } from './migrations/0008-replication.ts'
import { QUEUES } from './migrations/0009-queues.ts'
import { HOOK_QUEUES } from './migrations/0010-hook-queues.ts'
import { STOPPED_HOOKS } from './migrations/0011-stopped-hooks.ts'
import { REWIND } from './migrations/0012-rewind.ts'
import { BILLED_CATEGORIES } from './migrations/0013-billed-categories.ts'
import { rare } from './statement.ts'

const MIGRATIONS: readonly string[] = [
  SET_UP,
  TRAFFIC,
  SEATS,
  NODES,
  MOVING,
  PARTITIONS,
  SESSIONS,
  REPLICATION,
  QUEUES,
  HOOK_QUEUES,
  STOPPED_HOOKS,
  REWIND,
  BILLED_CATEGORIES,
]

/** The oldest server that the tests have been run on, as it numbers itself. */
const OLDEST_SERVER = 150_000

/** Of the lock under which migrations run; any number that nobody else uses. */
const LOCK = 7_678_672_310

const HAS_VERSION = rare<[has: number]>(`SELECT (to_regclass('schema_version') IS NOT NULL)::int`)
const VERSION = rare<[version: number]>('SELECT version FROM schema_version')
const SEALING_KEY = rare<[name: string]>('SELECT sealing_key FROM meta')
const SERVER = rare<[version: number]>(`SELECT current_setting('server_version_num')::integer`)
const LOCK_SCHEMA = rare('SELECT pg_advisory_xact_lock($1)')
const SET_VERSION = rare('UPDATE schema_version SET version = $1')

/** Runs what has not run yet, all of it or nothing. Throws a StoreError when it is from a newer Posthorn, or on an old server. */
export async function migrate(link: Link): Promise<void> {
  if (!(await needsMigration(link))) return
  const fault = faultOfServer((await link.ask(SERVER))[0]?.[0] ?? 0)
  if (fault !== null) throw new StoreError(fault)
  await link.run('BEGIN')
  try {
    await link.ask(LOCK_SCHEMA, LOCK)
    if (await needsMigration(link)) {
      await link.run('CREATE TABLE IF NOT EXISTS schema_version AS SELECT 0 AS version')
      for (const migration of MIGRATIONS.slice(await versionOf(link))) await link.run(migration)
      await link.ask(SET_VERSION, MIGRATIONS.length)
    }
    await link.run('COMMIT')
  } catch (error) {
    await link.run('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Why a server of this version, 150004 for 15.4, is not good enough; null when it is. */
export function faultOfServer(version: number): string | null {
  if (version >= OLDEST_SERVER) return null
  const name = `${Math.floor(version / 10_000)}.${version % 10_000}`
  return `the server is PostgreSQL ${name}, and Posthorn needs ${OLDEST_SERVER / 10_000} or newer`
}

/** Whether all migrations have run, or none, on a database that is new. Throws a StoreError as `migrate` does. */
export async function stateOf(link: Link): Promise<'new' | 'older' | 'present'> {
  if (!(await needsMigration(link))) return 'present'
  return (await versionOf(link)) === 0 ? 'new' : 'older'
}

/** Whether there is a key yet that everything is sealed with. */
export async function hasKey(link: Link): Promise<boolean> {
  return (await versionOf(link)) > 0 && (await link.ask(SEALING_KEY))[0]?.[0] !== ''
}

async function needsMigration(link: Link): Promise<boolean> {
  const version = await versionOf(link)
  requireKnownVersion(version, MIGRATIONS.length)
  return version < MIGRATIONS.length
}

async function versionOf(link: Link): Promise<number> {
  const [found] = await link.ask(HAS_VERSION)
  if (found?.[0] !== 1) return 0
  return (await link.ask(VERSION))[0]?.[0] ?? 0
}
