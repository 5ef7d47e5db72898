/**
 * A PostgreSQL server for one test file, with fresh databases on request; in the project `postgres` the server of the
 * run. If its binaries cannot run, the tests of the file are skipped with a line that says so.
 */
import { afterAll, beforeAll } from 'vitest'
import { PostgresDatabases } from './postgres-databases.ts'
import { whyPostgresIsMissing } from './postgres-programs.ts'
import { type PostgresServer, reachPostgres, type ServerOptions, startPostgres } from './postgres-server.ts'
import { DATABASES_OF_RUN } from './store-of-run.ts'
import { CITUS_PORT } from './test-citus.ts'

const START_WITHIN_MS = 60_000

export interface UsedPostgres {
  /** Its binaries cannot run here. */
  readonly isMissing: boolean
  /** Throws where the server belongs to the whole run. */
  readonly server: PostgresServer
  readonly takeDatabase: PostgresDatabases['take']
}

/** To be called once, before the tests are described. */
export async function usePostgres(options: ServerOptions = {}): Promise<UsedPostgres> {
  const reason = await whyPostgresIsMissing()
  if (reason !== null) console.warn(`PostgreSQL cannot run here (${reason}); its tests are skipped`)
  let server: PostgresServer | null = null
  const shared = CITUS_PORT === null ? DATABASES_OF_RUN : new PostgresDatabases(reachPostgres(CITUS_PORT))
  let databases = shared
  if (reason === null && shared === null) {
    beforeAll(async () => {
      server = await startPostgres(options)
      databases = new PostgresDatabases(server)
    }, START_WITHIN_MS)
    afterAll(async () => {
      await databases?.close()
      await server?.stop()
    }, START_WITHIN_MS)
  }
  return {
    isMissing: reason !== null,
    get server() {
      return present(server)
    },
    takeDatabase: (options) => present(databases).take(options),
  }
}

function present<Thing>(thing: Thing | null): Thing {
  if (thing === null) throw new Error('the server is started before the first test')
  return thing
}
