/** A connection to the database that is opened on first use and reopened after a loss. */
import { storeClosed } from '../../rows/setup/store-limits.ts'
import type { Connection } from './connection.ts'
import { APPLICATION, type DatabaseHosts } from './database-hosts.ts'
import { rare } from './statement.ts'

const AT_WORK = rare<[waitsFor: string]>(
  `SELECT coalesce(wait_event, 'nothing') FROM pg_stat_activity
   WHERE pid = $1 AND state = 'active' AND application_name = '${APPLICATION}' AND usename = current_user`,
)

export class LastingConnection {
  readonly #hosts: DatabaseHosts
  readonly #settings: Readonly<Record<string, string>>
  readonly #begin: (connection: Connection) => Promise<void>
  #connection: Promise<Connection> | null = null
  #closed = false
  /** The server process of an abandoned connection, until it is known to have ended its work. */
  #leftBehind: number | null = null

  /** Runs `begin` on each new connection before anything else. */
  constructor(hosts: DatabaseHosts, settings: Readonly<Record<string, string>>, begin = async (_: Connection) => {}) {
    this.#hosts = hosts
    this.#settings = settings
    this.#begin = begin
  }

  /** Rejects if there is no primary, and tries again the next time. A destroyed connection is reopened. */
  async connection(): Promise<Connection> {
    const opening = this.#present()
    const connection = await opening
    if (!connection.isBroken) return connection
    // The first waiting caller reopens it, and the others use that one.
    if (this.#connection === opening) {
      this.#connection = null
      this.#leftBehind = connection.process
    }
    return this.#present()
  }

  async close(): Promise<void> {
    this.#closed = true
    const connection = await this.#connection?.catch(() => null)
    await connection?.end()
  }

  async #open(): Promise<Connection> {
    const connection = await this.#hosts.connect(this.#settings)
    try {
      await this.#awaitWork(connection)
      await this.#begin(connection)
      return connection
    } catch (error) {
      connection.destroy(error)
      throw error
    }
  }

  /**
   * Rejects while the server still executes statements of the previous connection. A commit that waits for a standby is
   * not ended by the loss of its connection and keeps its locks: more of them would only use up connections.
   */
  async #awaitWork(connection: Connection): Promise<void> {
    if (this.#leftBehind === null) return
    const [found] = await connection.query(AT_WORK, this.#leftBehind)
    if (found !== undefined) throw new Error(describeWork(found[0]))
    this.#leftBehind = null
  }

  #present(): Promise<Connection> {
    if (this.#closed) return Promise.reject(storeClosed())
    if (this.#connection === null) {
      const opening = this.#open()
      this.#connection = opening
      opening.catch(() => {
        if (this.#connection === opening) this.#connection = null
      })
    }
    return this.#connection
  }
}

function describeWork(waitsFor: string): string {
  return waitsFor === 'SyncRep'
    ? 'the database takes no writes: a commit waits for a standby that does not answer (synchronous_standby_names)'
    : `the database still does what it was asked before; it waits for ${waitsFor}`
}

/** For short transactions: index scans only, planned once, however the tables have grown since. */
export const SHORT_WORK = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  lock_timeout: '3s',
  statement_timeout: '10s',
  // A process that is stopped in the middle of a transaction must not block the others.
  idle_in_transaction_session_timeout: '4s',
} as const

/** For large reads. */
export const LONG_WORK = { jit: 'off', lock_timeout: '3s' } as const
