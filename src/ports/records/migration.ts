/** The migration of an older database to the schema of this version, which may take minutes with many messages. */
export interface Migration {
  readonly from: number
  readonly to: number
  readonly state: 'begun' | 'ended'
}

/** Called when a migration begins and when it has ended; not for a new database. */
export type OnMigration = (migration: Migration) => void
