/**
 * One connection to the database. What is asked goes out at once and in its order, without waiting for the answers to what
 * was asked before, so that many statements cost one round trip. Once it is broken, everything on it rejects.
 */
import pg from 'pg'
import type { Cell } from '../rows/cell.ts'
import { toArrayLiteral } from './array-literal.ts'
import { isOfSharedSession, SharedSession } from './shared-session.ts'
import type { Statement } from './statement.ts'

/** A parameter of a statement: a cell, or a column of them. */
export type Value = Cell | readonly Cell[]

export interface QueryResult<Row> {
  readonly rows: readonly Row[]
  /** How many rows were read or changed. */
  readonly count: number
}

/** int2, int4, int8, float8 and numeric: no number of ours is larger than 2^53. Everything else is text. */
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 701, 1700])
const BYTES = 17
const TYPES = {
  getTypeParser: (oid: number) => (NUMBERS.has(oid) ? Number : oid === BYTES ? readBytes : String),
} as unknown as pg.CustomTypesConfig

/** Batches until the first plans are made again. */
const FIRST_PLANS = 8

export class Link {
  /** Whether tables are spread over the servers of a Citus cluster. */
  isSpread = false
  readonly #client: pg.Client
  #brokenBy: Error | null = null
  #process: number | null = null
  #batches = 0
  #plansFor = FIRST_PLANS

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

  /** Of the server, as pg_stat_activity has it; null before it is known. */
  get process(): number | null {
    return this.#process
  }

  /** Whether a pooler stands before the server: it gives out process numbers of its own. */
  get isPooled(): boolean {
    return this.#process !== (this.#client as unknown as { processID: number | null }).processID
  }

  noteProcess(process: number): void {
    this.#process = process
  }

  get isBroken(): boolean {
    return this.#brokenBy !== null
  }

  /** The rows of one prepared statement, as arrays. */
  async query<Row extends readonly Cell[]>(
    statement: Statement<Row>,
    ...values: readonly Value[]
  ): Promise<readonly Row[]> {
    return (await this.execute(statement, values)).rows
  }

  /** The same with the count. */
  execute<Row extends readonly Cell[]>(
    { name, text }: Statement<Row>,
    values: readonly Value[],
  ): Promise<QueryResult<Row>> {
    return new Promise((resolve, reject) => {
      if (this.#brokenBy !== null) {
        reject(this.#brokenBy)
        return
      }
      const cells = values.map((value) => (Array.isArray(value) ? toArrayLiteral(value) : value))
      this.#client.query({ name, text, values: cells, rowMode: 'array' }, (error: Error | null, result) => {
        if (error) reject(this.isPooled && isOfSharedSession(error) ? new SharedSession(error) : error)
        else resolve({ rows: result.rows as unknown as Row[], count: result.rowCount ?? 0 })
      })
    })
  }

  /** Statements without parameters, separated by semicolons; for BEGIN, COMMIT and the like. Answers with the last tag. */
  run(sql: string): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#brokenBy !== null) {
        reject(this.#brokenBy)
        return
      }
      this.#client.query(sql, (error: Error | null, result) => {
        if (error) reject(error)
        else resolve((Array.isArray(result) ? result.at(-1) : result)?.command ?? '')
      })
    })
  }

  /**
   * A batch is done. Statements are planned once, and those that were planned while tables were empty go through them from
   * end to end for ever: so they are planned again, each time after four times as many batches.
   */
  growOlder(): void {
    this.#batches += 1
    if (this.#batches < this.#plansFor) return
    this.#plansFor *= 4
    this.run('DISCARD PLANS').catch(() => {})
  }

  /** What is told on a channel that this connection listens to. */
  onNotification(channel: string, onPayload: (payload: string) => void): void {
    this.#client.on('notification', (notification) => {
      if (notification.channel === channel) onPayload(notification.payload ?? '')
    })
  }

  /** Closes at once; what is under way rejects. */
  destroy(reason: Error): void {
    this.#break(reason)
    this.#client.connection.stream.destroy()
  }

  /** Waits for what is under way and closes. */
  async end(): Promise<void> {
    const { stream } = this.#client.connection
    // A server that does not even hear that it is left is not waited for.
    stream.once('finish', () => stream.destroy())
    await this.#client.end().catch(() => {})
  }

  #break(error: Error): void {
    this.#brokenBy ??= error
  }
}

/** `\\x5e…`, as bytea is written. */
function readBytes(text: string): Uint8Array {
  return Buffer.from(text.slice(2), 'hex')
}
