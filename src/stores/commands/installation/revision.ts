/** Reads the revision of the directory, which shows when to reload it. */
import { type Command, first } from '../statement/command.ts'
import { sql } from '../statement/sql.ts'

const REVISION = sql<[revision: number]>('SELECT revision FROM meta')

export function* directoryRevision(): Command<number> {
  return (yield* first(REVISION))?.[0] ?? 0
}
