/**
 * The schema (tables/changes.ts); `PRAGMA user_version` stores its version. A database from a newer Posthorn is never
 * touched.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { OnMigration } from '../../../ports/records/migration.ts'
import { beginMigration } from '../../rows/setup/report-migration.ts'
import { requireKnownVersion } from '../../rows/setup/store-limits.ts'
import { statementsFrom, VERSIONS } from '../../tables/changes.ts'
import { SqlStatement } from '../statement/statement.ts'

const PRESENT = VERSIONS.sqlite.present

/** Returns whether `migrate` would change something. Throws a StoreError for an unsupported database version. */
export function needsMigration(database: DatabaseSync): boolean {
  const version = versionOf(database)
  requireKnownVersion(version, VERSIONS.sqlite)
  return version < PRESENT
}

/** Creates the tables or runs the missing steps, all or nothing. What steps drop may be personal and is overwritten. */
export function migrate(database: DatabaseSync, onMigration?: OnMigration): void {
  database.exec('PRAGMA secure_delete = ON; BEGIN IMMEDIATE')
  try {
    const version = versionOf(database)
    requireKnownVersion(version, VERSIONS.sqlite)
    const end = beginMigration(version, PRESENT, onMigration)
    for (const sql of statementsFrom('sqlite', version)) database.exec(sql)
    database.exec(`PRAGMA user_version = ${PRESENT}`)
    database.exec('COMMIT')
    end()
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function versionOf(database: DatabaseSync): number {
  return new SqlStatement<[number]>(database, 'PRAGMA user_version').first()?.[0] ?? 0
}
