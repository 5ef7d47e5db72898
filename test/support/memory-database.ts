/** Migrated databases in memory: copies of one, because running all migrations takes longer than most tests. */
import { DatabaseSync } from 'node:sqlite'
import { migrate } from '../../src/stores/sqlite/schema/schema.ts'

let migrated: Uint8Array | null = null

export function memoryDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  if (migrated === null) {
    migrate(database)
    migrated = database.serialize()
  } else database.deserialize(migrated)
  return database
}
