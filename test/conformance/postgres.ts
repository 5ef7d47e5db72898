/** The tests of every store, on a real PostgreSQL server. */
import { systemClock } from '../../src/app/system/system-clock.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import { dumpTables } from '../support/dump-tables.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'
import { type Chapter, describeStore } from './store.ts'

/** All chapters, unless some are named. */
export async function describePostgres(chapters?: readonly Chapter[]): Promise<void> {
  const postgres = await usePostgres()
  if (postgres.isMissing) return
  const install = async () => {
    const { url, giveBack, query } = await postgres.takeDatabase()
    const open = (role: 'all' | 'tool') => {
      return openPostgresStore({ url, keys: TEST_KEYS, clock: systemClock, role, lanes: 1 })
    }
    return {
      open: () => open('all'),
      openTool: () => open('tool'),
      remove: giveBack,
      dump: () => dumpTables('postgres', query),
    }
  }
  describeStore('postgres', install, chapters)
}
