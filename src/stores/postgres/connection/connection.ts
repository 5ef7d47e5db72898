/**
 * One connection to the database. Statements are sent at once and in order, without waiting for earlier answers, so
 * that many statements cost one round trip. Once it is broken, every call on it rejects.
 */
import type { Writable } from 'node:stream'
import pg from 'pg'
import type { Cell, Value } from '../../rows/cells/cell.ts'
import { toBinaryArray } from './binary-array.ts'
import { isOfSharedSession, SharedSession } from './shared-session.ts'
import type { SqlStatement } from './statement.ts'

export interface QueryResult<Row> {
  readonly rows: readonly Row[]
  /** How many rows were read or changed. */
  readonly count: number
}

/** int2, int4, int8, float8 and numeric: all our numbers are below 2^53. Everything else is text. */
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 701, 1700])
const BYTES = 17
const TYPES = {
  getTypeParser: (oid: number) => (NUMBERS.has(oid) ? Number : oid === BYTES ? readBytes : String),
} as unknown as pg.CustomTypesConfig

/** Batches until statements are planned anew for the first time. */
const FIRST_PLANS = 8

export class Connection {
  /** Whether tables are distributed over the servers of a Citus cluster. */
  isSpread = false
  readonly #client: pg.Client
  #brokenBy: Error | null = null
  #process: number | null = null
  #batches = 0
  #plansFor = FIRST_PLANS
  /** The stream whose writes wait for a flush, at the latest at the end of the present turn of the event loop. */
  #corked: Writable | null = null

  /** Not connected yet. */
  constructor(config: pg.ClientConfig) {
    this.#client = new pg.Client({
      ...config,
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      types: TYPES,
    })
    this.#client.on('error', (error) => this.#break(error))
    this.#client.on('end', () => this.#break(new Error('the connection was closed')))
  }

  /** Rejects when the server cannot be reached or refuses the connection. */
  async connect(): Promise<void> {
    await this.#client.connect()
  }

  /** The server process as in pg_stat_activity; null before it is known. */
  get process(): number | null {
    return this.#process
  }

  /** Whether a pooler is in front of the server: it assigns process numbers of its own. */
  get isPooled(): boolean {
    return this.#process !== (this.#client as unknown as { processID: number | null }).processID
  }

  noteProcess(process: number): void {
    this.#process = process
  }

  get isBroken(): boolean {
    return this.#brokenBy !== null
  }

  /** Returns the rows of one prepared statement, as arrays. */
  async query<Row extends readonly Cell[]>(
    statement: SqlStatement<Row>,
    ...values: readonly Value[]
  ): Promise<readonly Row[]> {
    return (await this.execute(statement, values)).rows
  }

  /** Returns the row count too. */
  execute<Row extends readonly Cell[]>(
    { name, text, arrays }: SqlStatement<Row>,
    values: readonly Value[],
  ): Promise<QueryResult<Row>> {
    return new Promise((resolve, reject) => {
      if (this.#brokenBy !== null) {
        reject(this.#brokenBy)
        return
      }
      const cells = values.map((value, place) => {
        const type = arrays.get(place)
        return type === undefined ? value : toBinaryArray(type, value as readonly Cell[])
      })
      this.#sendTogether()
      this.#client.query({ name, text, values: cells, rowMode: 'array' }, (error: Error | null, result) => {
        if (error) reject(this.isPooled && isOfSharedSession(error) ? new SharedSession(error) : error)
        else resolve({ rows: result.rows as unknown as Row[], count: result.rowCount ?? 0 })
      })
    })
  }

  /**
   * Runs statements without parameters, separated by semicolons, such as BEGIN and COMMIT. Returns the last command
   * tag.
   */
  run(sql: string): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#brokenBy !== null) {
        reject(this.#brokenBy)
        return
      }
      this.#sendTogether()
      this.#client.query(sql, (error: Error | null, result) => {
        if (error) reject(error)
        else resolve((Array.isArray(result) ? result.at(-1) : result)?.command ?? '')
      })
    })
  }

  /**
   * Counts a finished batch. Statements planned while tables were empty would keep scanning them sequentially: so they
   * are planned anew, each time after four times as many batches.
   */
  countBatch(): void {
    this.#batches += 1
    if (this.#batches < this.#plansFor) return
    this.#plansFor *= 4
    this.run('DISCARD PLANS').catch(() => {})
  }

  /** Subscribes to the payloads of a channel that this connection listens to. */
  onNotification(channel: string, onPayload: (payload: string) => void): void {
    this.#client.on('notification', (notification) => {
      if (notification.channel === channel) onPayload(notification.payload ?? '')
    })
  }

  /** Closes at once; pending calls reject. */
  destroy(reason: unknown): void {
    this.#break(reason instanceof Error ? reason : new Error(String(reason)))
    this.#client.connection.stream.destroy()
  }

  /** Waits for pending calls and closes. */
  async end(): Promise<void> {
    const { stream } = this.#client.connection
    // Does not wait for a server that does not answer the close.
    stream.once('finish', () => stream.destroy())
    await this.#client.end().catch(() => {})
  }

  /** Writes all statements that are sent before the next I/O at once, or until a flush: each write wakes the server. */
  #sendTogether(): void {
    const { stream } = this.#client.connection
    if (this.#corked === stream) return
    this.flush()
    this.#corked = stream
    stream.cork()
    process.nextTick(() => this.flush())
  }

  /** Writes all statements that were sent so far. */
  flush(): void {
    this.#corked?.uncork()
    this.#corked = null
  }

  #break(error: Error): void {
    this.#brokenBy ??= error
  }
}

/** `\\x5e…`, the text format of bytea. */
function readBytes(text: string): Uint8Array {
  return Buffer.from(text.slice(2), 'hex')
}
