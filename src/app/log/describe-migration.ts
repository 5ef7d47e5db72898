/** Lines about a migration of the database, for the log and the terminal. */
import type { Migration, OnMigration } from '../../ports/records/migration.ts'
import type { Clock } from '../../ports/system/clock.ts'

/** Calls `write` with a line when a migration begins, and with its duration when it has ended. */
export function describeMigration(
  clock: Pick<Clock, 'monotonic'>,
  write: (line: string, migration: Migration) => void,
): OnMigration {
  let begunAt = 0
  return (migration) => {
    const versions = `the database from version ${migration.from} to ${migration.to}`
    if (migration.state === 'begun') {
      begunAt = clock.monotonic()
      write(`migrating ${versions}; this may take minutes`, migration)
      return
    }
    write(`migrated ${versions} in ${((clock.monotonic() - begunAt) / 1_000).toFixed(1)} s`, migration)
  }
}
