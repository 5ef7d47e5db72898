/**
 * The shape of the database, by numbered migrations; `PRAGMA user_version` says how many of them have run. A database
 * from a newer Posthorn is never touched.
 */
import type { DatabaseSync } from 'node:sqlite'
import { requireKnownVersion } from '../rows/store-limits.ts'
import { TABLES } from './migrations/0001-tables.ts'
import { ROUTING } from './migrations/0002-routing.ts'
import { INBOUND } from './migrations/0003-inbound.ts'
import { TEMPLATE_LISTS } from './migrations/0004-template-lists.ts'
import { ADMIN } from './migrations/0005-admin.ts'

import { RING_TIME } from './migrations/0006-ring-time.ts'
import { KEYS } from './migrations/0007-keys.ts'
import { TARIFFS } from './migrations/0008-tariffs.ts'
import { GUARDS } from './migrations/0009-guards.ts'
import { SEALED_TEXTS } from './migrations/0010-sealed-texts.ts'
import { TEMPLATES } from './migrations/0011-templates.ts'
import { INBOUND_PARTS } from './migrations/0012-inbound-parts.ts'
import { SENDERS } from './migrations/0013-senders.ts'
import { HOOK_SECRETS } from './migrations/0014-hook-secrets.ts'
import { USAGE } from './migrations/0015-usage.ts'
import { BOOK } from './migrations/0016-book.ts'
import { CLIENT_IDS } from './migrations/0017-client-ids.ts'
import { TRAFFIC } from './migrations/0018-traffic.ts'
import { SWEEPING } from './migrations/0019-sweeping.ts'
import { TEST_KEYS } from './migrations/0020-test-keys.ts'
import { CALLS } from './migrations/0021-calls.ts'
import { MOVING } from './migrations/0022-moving.ts'
import { STRETCHES } from './migrations/0023-stretches.ts'
import { SESSIONS } from './migrations/0024-sessions.ts'
import { QUEUES } from './migrations/0025-queues.ts'
import { HOOK_QUEUES } from './migrations/0026-hook-queues.ts'
import { STOPPED_HOOKS } from './migrations/0027-stopped-hooks.ts'
import { BILLED_CATEGORIES } from './migrations/0028-billed-categories.ts'
import { Statement } from './statement.ts'

const MIGRATIONS: readonly string[] = [
  TABLES,
  ROUTING,
  INBOUND,
  TEMPLATE_LISTS,
  ADMIN,
  RING_TIME,
  KEYS,
  TARIFFS,
  GUARDS,
  SEALED_TEXTS,
  TEMPLATES,
  INBOUND_PARTS,
  SENDERS,
  HOOK_SECRETS,
  USAGE,
  BOOK,
  CLIENT_IDS,
  TRAFFIC,
  SWEEPING,
  TEST_KEYS,
  CALLS,
  MOVING,
  STRETCHES,
  SESSIONS,
  QUEUES,
  HOOK_QUEUES,
  STOPPED_HOOKS,
  BILLED_CATEGORIES,
]

/** Whether `migrate` would change something. Throws a StoreError when the database is from a newer Posthorn. */
export function needsMigration(database: DatabaseSync): boolean {
  const version = versionOf(database)
  requireKnownVersion(version, MIGRATIONS.length)
  return version < MIGRATIONS.length
}

/** Runs what has not run yet, all of it or nothing. */
export function migrate(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const migration of MIGRATIONS.slice(versionOf(database))) database.exec(migration)
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function versionOf(database: DatabaseSync): number {
  return new Statement<[number]>(database, 'PRAGMA user_version').first()?.[0] ?? 0
}
