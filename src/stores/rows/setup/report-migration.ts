/** Reports a migration of the schema, whichever database is migrated. */
import type { OnMigration } from '../../../ports/records/migration.ts'

/** Reports that it begins; returns what reports its end. A new database, of version 0, is not migrated. */
export function beginMigration(from: number, to: number, onMigration: OnMigration | undefined): () => void {
  if (from === 0) return () => {}
  onMigration?.({ from, to, state: 'begun' })
  return () => onMigration?.({ from, to, state: 'ended' })
}
