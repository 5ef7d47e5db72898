/** The store of a cluster, on a real server. */

import { systemClock } from '../../src/app/system/system-clock.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import { describeStore } from '../conformance/store.ts'
import { dumpTables } from '../support/dump-tables.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'

const postgres = await usePostgres()

async function install() {
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

if (!postgres.isMissing) describeStore('postgres', install)
