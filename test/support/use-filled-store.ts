/** A store over a database in memory that SQL has filled, for each test anew. */
import type { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach } from 'vitest'
import type { Store } from '../../src/ports/stores/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { memoryDatabase } from './memory-database.ts'
import { TEST_KEYS } from './test-keys.ts'

export interface FilledStore {
  readonly database: DatabaseSync
  readonly store: Store
}

/** To be called once, before the tests are described; the fields are those of the present test. */
export function useFilledStore(fill: string): FilledStore {
  const filled = {} as { database: DatabaseSync; store: Store }
  beforeEach(async () => {
    filled.database = memoryDatabase()
    filled.store = await openSqliteStore({ file: ':memory:', keys: TEST_KEYS, inline: true, database: filled.database })
    filled.database.exec(fill)
  })
  afterEach(async () => {
    await filled.store.close()
    filled.database.close()
  })
  return filled
}
