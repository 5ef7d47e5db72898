/** The store of a cluster, on a real server. */

import { systemClock } from '../../src/app/system/system-clock.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import { describeStore } from '../conformance/store.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'

const postgres = await usePostgres()

async function install() {
  const { url, giveBack } = await postgres.takeDatabase()
  const open = (role: 'all' | 'tool') => {
    return openPostgresStore({ url, keys: TEST_KEYS, clock: systemClock, role, lanes: 1 })
  }
  return { open: () => open('all'), openTool: () => open('tool'), remove: giveBack }
}

if (!postgres.isMissing) describeStore('postgres', install)
