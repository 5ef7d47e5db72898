/**
 * Finds the primary among the hosts of the database's address. The address may contain a password: it is never logged,
 * and errors name only hosts.
 */
import type pg from 'pg'
import { StoreError } from '../../../ports/records/store-errors.ts'
import { Connection } from './connection.ts'
import { judgeStatementFailure } from './judge-failure.ts'
import { SharedSession } from './shared-session.ts'
import { unnamed } from './statement.ts'

/** Statements run before the session is verified are not prepared by name. */
const STATE = unnamed<[isStandby: number, synchronousCommit: string, isCitus: number, process: number]>(
  `SELECT (pg_is_in_recovery() OR current_setting('transaction_read_only')::bool)::int,
     current_setting('synchronous_commit'), (to_regclass('pg_dist_partition') IS NOT NULL)::int,
     pg_backend_pid()`,
)

const PROCESS = unnamed<[process: number]>('SELECT pg_backend_pid()')

/** Poolers that rotate sessions are detected at the second look, others at the first. */
const LOOKS = 3

/** The application_name of connections. */
export const APPLICATION = 'posthorn'

/** Time for a host to accept a connection and report whether it takes writes. */
const CONNECT_WITHIN_MS = 3_000

interface Host {
  /** `10.0.0.1:5432`, for messages to operators. */
  readonly name: string
  readonly config: pg.ClientConfig
}

/** None of the hosts is reachable, or none of them takes writes. */
export class NoPrimary extends Error {
  override readonly name = 'NoPrimary'
  /** Whether a host may accept connections later: it is down, starting or a standby. A wrong password is permanent. */
  readonly mayPass: boolean
  /** Whether a server answered with an error other than that the database does not exist. */
  readonly isThere: boolean

  constructor(message: string, causes: readonly unknown[]) {
    super(message)
    this.mayPass = causes.every(mayPass)
    this.isThere = causes.some((cause) => SQLSTATE.test(codeOf(cause)) && codeOf(cause) !== NO_DATABASE)
  }
}

export class DatabaseHosts {
  readonly #hosts: readonly Host[]

  /** Throws a StoreError if the address is invalid. */
  constructor(url: string) {
    this.#hosts = readHosts(url)
  }

  get names(): string {
    return this.#hosts.map(({ name }) => name).join(', ')
  }

  /**
   * Connects to all hosts at once and returns the first connection that takes writes, with these session settings;
   * closes the others. An unresponsive host delays nothing. Rejects with a NoPrimary that gives each host's reason.
   */
  async connect(settings: Readonly<Record<string, string>>): Promise<Connection> {
    const stops = this.#hosts.map(() => new AbortController())
    const attempts = this.#hosts.map(async (host, index) => {
      const connection = await open(host, settings, (stops[index] as AbortController).signal)
      for (const [other, stop] of stops.entries()) if (other !== index) stop.abort()
      return connection
    })
    const outcomes = Promise.allSettled(attempts)
    try {
      return await Promise.any(attempts)
    } catch {
      const causes = (await outcomes).map((outcome) => (outcome.status === 'rejected' ? outcome.reason : null))
      const refused = causes.find((cause) => cause instanceof SharedSession)
      if (refused !== undefined) throw refused
      const reasons = causes.map((cause, index) => `${this.#hosts[index]?.name}: ${reasonOf(cause)}`)
      throw new NoPrimary(reasons.join('; '), causes)
    }
  }

  /**
   * Rejects with a SharedSession if a pooler gives two connections the same session, or one of them a different one
   * than before.
   */
  async checkSession(connection: Connection): Promise<void> {
    if (!connection.isPooled) return
    const other = await this.connect({})
    try {
      for (let look = 0; look < LOOKS; look += 1) {
        for (const each of [connection, other]) {
          const [row] = await each.query(PROCESS)
          if (row?.[0] !== each.process || connection.process === other.process) throw new SharedSession()
        }
      }
    } finally {
      await other.end()
    }
  }
}

async function open(
  { config }: Host,
  settings: Readonly<Record<string, string>>,
  found: AbortSignal,
): Promise<Connection> {
  const connection = new Connection(config)
  const tooLate = AbortSignal.timeout(CONNECT_WITHIN_MS)
  const stop = AbortSignal.any([found, tooLate])
  const giveUp = () => connection.destroy(new Error('given up'))
  stop.addEventListener('abort', giveUp)
  try {
    await connection.connect()
    const sets = Object.entries(settings).map(([name, value]) => `SET ${name} = '${value}'`)
    const [[state]] = await Promise.all([connection.query(STATE), connection.run(sets.join('; '))])
    if (state !== undefined) connection.noteProcess(state[3])
    if (state?.[0] !== 0) throw new NotNow('is a standby')
    // An acknowledged commit is on disk; the operator chooses on how many servers.
    if (state[1] === 'off') await connection.run('SET synchronous_commit = on')
    // Citus finds the server of a bucket from the parameter, so it cannot use generic plans.
    connection.isSpread = state[2] === 1
    if (connection.isSpread) await connection.run('SET plan_cache_mode = auto')
    return connection
  } catch (error) {
    connection.destroy(error)
    throw tooLate.aborted ? new NotNow('does not answer') : error
  } finally {
    stop.removeEventListener('abort', giveUp)
  }
}

/** A host that may take writes later. */
class NotNow extends Error {}

/** The driver's code-less errors for a server that hangs up. */
const HUNG_UP = /terminated|connection was closed/

function mayPass(error: unknown): boolean {
  if (error instanceof NotNow) return true
  if (error instanceof AggregateError) return error.errors.every(mayPass)
  if (!(error instanceof Error)) return false
  // An unreadable file of the address, such as a certificate, is a permanent error.
  if ('syscall' in error) return error.syscall !== 'open' && error.syscall !== 'read'
  if ('code' in error)
    return ['away', 'busy'].includes(judgeStatementFailure(error)) && !WRONG_ADDRESS.test(String(error.code))
  return HUNG_UP.test(error.message)
}

const SQLSTATE = /^[0-9A-Z]{5}$/
const NO_DATABASE = '3D000'

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** SQLSTATE: a wrong user or password, missing database or permission; TLS that does not match. */
const WRONG_ADDRESS = /^(28...|3D000|42501|ERR_.*|.*CERT.*|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/

/** `one:5432,two:5432/name`, for messages to operators. */
export function nameDatabase(url: string): string {
  const [, hosts = '', name = ''] = /^[^:]+:\/\/(?:[^/?#]*@)?([^/?#@]*)(\/[^?#]*)?/.exec(url) ?? []
  return `${hosts}${name}`
}

/** Splits `postgres://user:password@one:5432,two:5432/name?sslmode=…` into an address per host. */
function readHosts(url: string): readonly Host[] {
  const [, scheme = '', user = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)([/?#].*)?$/.exec(url) ?? []
  if (scheme === '') throw new StoreError('invalid database address: it must look like postgres://user@host:5432/name')
  return hosts.split(',').map((host) => {
    const config = { connectionString: `${scheme}${user}${host}${verifyServer(rest)}`, application_name: APPLICATION }
    return { name: host === '' ? 'the local server' : host, config }
  })
}

/**
 * The driver verifies the server's certificate in these modes as well, and prints a warning of several lines about it.
 */
function verifyServer(rest: string): string {
  if (/[?&]uselibpqcompat=/.test(rest)) return rest
  return rest.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Node tries several addresses of one name at once and fails with one error without a message.
  return error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : error.message
}
