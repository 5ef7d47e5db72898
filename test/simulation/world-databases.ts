/** The databases of simulated worlds, which outlive their gateways. */
import { systemClock } from '../../src/app/system/system-clock.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { memoryDatabase } from '../support/memory-database.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import type { WorldDatabase } from './world.ts'

export function openMemory(): WorldDatabase {
  const database = memoryDatabase()
  return {
    open: () => openSqliteStore({ file: ':memory:', inline: true, database, keys: TEST_KEYS, role: 'gateway' }),
    close: async () => database.close(),
  }
}

/** Every process is a node of its own. */
export function openNodes({ url, giveBack }: TestDatabase): WorldDatabase {
  return {
    open: () => openPostgresStore({ url, keys: TEST_KEYS, clock: systemClock, lanes: 2 }),
    close: giveBack,
  }
}
