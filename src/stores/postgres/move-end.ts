/** A PostgreSQL database as one end of a move: no node and no other move works on it concurrently. */

import { BUCKETS } from '../../domain/ids/message-id.ts'
import { StoreError } from '../../ports/records/store-errors.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Crossing } from '../move/crossings.ts'
import type { MoveMark, MovePlace } from '../move/mark.ts'
import {
  type ColumnReading,
  type Counters,
  EndUnreachable,
  type MoveEnd,
  type ReadRows,
  type Rows,
} from '../move/move-end.ts'
import type { Cell } from '../rows/cells/cell.ts'
import { findTable, TABLES, type TableName } from '../tables/all-tables.ts'
import { findMark, keepPlace, setMark } from './cluster/moving.ts'
import { BEAT_EVERY_MS, free, LOOK, QUIET_LOOKS } from './cluster/node-lease.ts'
import type { Connection } from './connection/connection.ts'
import { DatabaseHosts, NoPrimary, nameDatabase } from './connection/database-hosts.ts'
import { judgeStatementFailure } from './connection/judge-failure.ts'
import { LastingConnection, LONG_WORK } from './connection/lasting-connection.ts'
import { rare, type SqlStatement, typesOf, unnest } from './connection/statement.ts'
import { verifyLedger } from './money/verify-ledger.ts'
import { RowBuckets } from './move-buckets.ts'
import { explain } from './open-store.ts'
import { migrate, stateOf } from './schema/schema.ts'
import { columnsOf } from './session/session.ts'

/** The advisory lock of a move, which ends with its connection; any otherwise unused number. */
const LOCK = 7_678_672_311

const TRY_LOCK = rare<[got: number]>('SELECT pg_try_advisory_lock($1)::int')
const UNLOCK = rare('SELECT pg_advisory_unlock($1)')
const NODES = rare<[node: number, name: string]>('SELECT node, name FROM node ORDER BY node')
const SEAL = rare<[key: string, secret: string]>('SELECT sealing_key, phone_secret FROM meta')
const COUNTERS = rare<[nextCounter: number, lastNode: number]>(
  'SELECT next, (SELECT last_value FROM node_number) FROM message_counter',
)
const SET_COUNTER = rare('UPDATE message_counter SET next = $1')
const SET_NODE = rare(`SELECT setval('node_number', $1)`)
const NUMBERED = TABLES.postgres.flatMap(({ name, columns }) =>
  columns.flatMap((column) => (column.isIdentity ? [[name, column.name] as const] : [])),
)
const LAST_POSTINGS = rare<[accountId: number, last: number]>(
  'SELECT account_id, max(posting_id) FROM posting GROUP BY account_id',
)
const COUNT_POSTINGS = rare(
  `UPDATE account_balance SET postings = coalesce((SELECT max(posting_id) FROM posting
     WHERE posting.bucket = account_balance.bucket AND posting.account_id = account_balance.account_id), 0)`,
)
const OPEN = rare<[messages: number, reports: number]>(
  `SELECT (SELECT count(*) FROM due), (SELECT count(*) FROM report WHERE state = 'pending')`,
)

export class PostgresEnd implements MoveEnd {
  readonly kind = 'postgres'
  readonly name: string
  readonly #hosts: DatabaseHosts
  readonly #lasting: LastingConnection
  readonly #clock: Clock
  readonly #statements = new Map<string, SqlStatement>()
  #lastPostings: Map<number, number> | null = null
  #isLocked = false

  /** Throws a StoreError if the address is invalid. */
  constructor(url: string, clock: Clock) {
    this.name = `the database ${nameDatabase(url)}`
    this.#hosts = new DatabaseHosts(url)
    this.#lasting = new LastingConnection(this.#hosts, LONG_WORK)
    this.#clock = clock
  }

  async enter(): Promise<boolean> {
    await this.#connect()
    return this.#with(async (connection) => {
      if ((await connection.query(TRY_LOCK, LOCK))[0]?.[0] !== 1)
        throw new StoreError(`another move is running on ${this.name}`)
      this.#isLocked = true
      const state = await stateOf(connection)
      if (state === 'new') return false
      if (state === 'older')
        throw new StoreError(`${this.name} was written by an older Posthorn: run posthorn migrate first`)
      if (!(await areAllGone(connection, this.#clock))) throw await this.#inUse(connection)
      return (await this.seal())[0] !== '' || (await this.mark()) !== null
    })
  }

  mark(): Promise<MoveMark | null> {
    return this.#with(findMark)
  }

  seal(): Promise<readonly [key: string, secret: string]> {
    return this.#with(async (connection) => (await connection.query(SEAL))[0] ?? ['', ''])
  }

  prepare(): Promise<void> {
    return this.#with((connection) => migrate(connection))
  }

  setMark(mark: MoveMark | null): Promise<void> {
    return this.#with(async (connection) => {
      if (!(await setMark(connection, mark))) throw await this.#inUse(connection)
    })
  }

  /** The mark does. */
  async hold(): Promise<void> {}

  count({ table, postgresRows, postgresWhere = 'true' }: Crossing): Promise<number> {
    return this.#with(async (connection) => {
      const count = this.#statement(`SELECT count(*) FROM ${postgresRows?.from ?? `"${table}"`} WHERE ${postgresWhere}`)
      return Number((await connection.query(count))[0]?.[0] ?? 0)
    })
  }

  read(crossing: Crossing, reading: ColumnReading, after: readonly Cell[] | null, most: number): Promise<ReadRows> {
    return this.#with(async (connection) => {
      const key = keyOf(crossing)
      const statement = this.#statement(readingOf(crossing, key, reading, after !== null))
      const found = await connection.query(statement, ...(after ?? []), most)
      return { rows: found.map((row) => row.slice(key.length)), after: found.at(-1)?.slice(0, key.length) ?? [] }
    })
  }

  write(crossing: Crossing, columns: readonly string[], rows: Rows, place: MovePlace): Promise<void> {
    return this.#with(async (connection) => {
      const numbered = crossing.table === 'posting' ? await this.#number(connection, columns, rows) : rows
      const asked = crossing.bucket === null ? columns : ['bucket', ...columns]
      const placed = crossing.bucket === null ? numbered : new RowBuckets(crossing.bucket, columns).place(numbered)
      const statement = this.#statement(writingOf(crossing.table, asked))
      const sent = [
        connection.run('BEGIN'),
        connection.query(statement, ...columnsOf(placed).map(keepableColumn)),
        keepPlace(connection, place),
        connection.run('COMMIT'),
      ]
      const settled = await Promise.allSettled(sent)
      const failed = settled.find((each) => each.status === 'rejected')
      if (failed !== undefined) throw nameRefused(crossing.table, columns, rows, failed.reason)
    })
  }

  counters(): Promise<Counters> {
    return this.#with(async (connection) => {
      const [nextCounter = 1, lastNode = 1] = (await connection.query(COUNTERS))[0] ?? []
      return { nextCounter, lastNode }
    })
  }

  settle({ nextCounter, lastNode }: Counters): Promise<void> {
    return this.#with(async (connection) => {
      await connection.query(SET_COUNTER, nextCounter)
      await connection.query(SET_NODE, lastNode + 1)
      await connection.query(COUNT_POSTINGS)
      for (const [table, column] of NUMBERED) {
        await connection.run(
          `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), coalesce(max(${column}), 0) + 1, false) FROM "${table}"`,
        )
      }
      // Statistics, before the first gateway runs a query.
      await connection.run('ANALYZE')
    })
  }

  open(): Promise<readonly [messages: number, reports: number]> {
    return this.#with(async (connection) => (await connection.query(OPEN))[0] ?? [0, 0])
  }

  verifyLedger(): Promise<readonly string[]> {
    return this.#with(verifyLedger)
  }

  /** Unlocks first: a busy server ends a session a while after its connection, and another move may follow at once. */
  async close(): Promise<void> {
    if (this.#isLocked) await this.#with((connection) => connection.query(UNLOCK, LOCK)).catch(() => {})
    await this.#lasting.close()
  }

  async #connect(): Promise<void> {
    try {
      await this.#lasting.connection()
    } catch (error) {
      const explained = explain(error, this.#hosts)
      // A database that refuses this user may be in use.
      if (error instanceof NoPrimary && error.isThere) throw explained
      throw new EndUnreachable(explained.message, { cause: error })
    }
  }

  async #with<Answer>(work: (connection: Connection) => Promise<Answer>): Promise<Answer> {
    try {
      return await work(await this.#lasting.connection())
    } catch (error) {
      throw explain(error, this.#hosts)
    }
  }

  async #inUse(connection: Connection): Promise<StoreError> {
    const nodes = await connection.query(NODES)
    const names = nodes.map(([node, name]) => (name === '' ? `node ${node}` : name)).join(', ')
    return new StoreError(
      `a gateway or a command is running on ${this.name}: stop it first${names === '' ? '' : ` (${names})`}`,
    )
  }

  #statement(text: string): SqlStatement {
    const statement = this.#statements.get(text) ?? rare(text)
    this.#statements.set(text, statement)
    return statement
  }

  /** Numbers the postings of an account without gaps, in order of arrival. */
  async #number(connection: Connection, columns: readonly string[], rows: Rows): Promise<Rows> {
    this.#lastPostings ??= new Map(await connection.query(LAST_POSTINGS))
    const [id, account] = [columns.indexOf('posting_id'), columns.indexOf('account_id')]
    return rows.map((row) => {
      const next = (this.#lastPostings?.get(Number(row[account])) ?? 0) + 1
      this.#lastPostings?.set(Number(row[account]), next)
      return row.with(id, next)
    })
  }
}

/** Reads all buckets at once in one order, so that the target writes sequentially. */
function readingOf(
  { table, bucket, postgresRows, postgresWhere }: Crossing,
  key: readonly string[],
  reading: ColumnReading,
  isBehind: boolean,
) {
  const from = postgresRows?.from ?? `"${table}"`
  const keys = key.map((name, index) => `"${name}" AS k${index}`)
  const columns = [...keys, ...reading.map(([, sql], index) => `${sql} AS v${index}`)].join(', ')
  const behind = `(${key.map((name) => `"${name}"`).join(', ')}) > (${key.map((_, index) => `$${index + 1}`).join(', ')})`
  const order = `ORDER BY ${key.map((_, index) => `k${index}`).join(', ')} LIMIT $${isBehind ? key.length + 1 : 1}`
  const one = (where: readonly string[]) => {
    const all = [...where, ...(postgresWhere === undefined ? [] : [postgresWhere]), ...(isBehind ? [behind] : [])]
    return `SELECT ${columns} FROM ${from} ${all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`} ${order}`
  }
  if (bucket === null || postgresRows !== undefined) return one([])
  const each = Array.from({ length: BUCKETS }, (_, number) => `(${one([`bucket = ${number}`])})`)
  return `SELECT * FROM (${each.join(' UNION ALL ')}) AS every ${order}`
}

/** Without the bucket, because all buckets are read in one order. */
function keyOf({ table, postgresRows }: Crossing): readonly string[] {
  return postgresRows?.key ?? findTable('postgres', table).key.filter((name) => name !== 'bucket')
}

/** A table with one row has it from the beginning. */
function writingOf(table: TableName, columns: readonly string[]): string {
  const names = columns.map((name) => `"${name}"`).join(', ')
  const types = Object.entries(typesOf(table, columns.join(', '))).map(([name, type]) => [`"${name}"`, type] as const)
  const rows = unnest(Object.fromEntries(types), 1)
  if (columns.includes('one')) return `UPDATE "${table}" SET (${names}) = (SELECT ${names} FROM ${rows})`
  return `INSERT INTO "${table}" (${names}) OVERRIDING SYSTEM VALUE SELECT ${names} FROM ${rows}`
}

/** Older texts may contain NUL, which PostgreSQL does not store. */
function keepableColumn(column: readonly Cell[]): readonly Cell[] {
  return column.map((cell) => (typeof cell === 'string' && cell.includes('\0') ? cell.replaceAll('\0', '') : cell))
}

/** Without NUL a row may be another one. Returns an error that names the first such row of a refused batch. */
function nameRefused(table: TableName, columns: readonly string[], rows: Rows, reason: unknown): unknown {
  const row = rows.find((cells) => cells.some((cell) => typeof cell === 'string' && cell.includes('\0')))
  if (row === undefined || judgeStatementFailure(reason) !== 'command') return reason
  const { key } = findTable('sqlite', table)
  const named = key.map((name) => `${name} ${JSON.stringify(row[columns.indexOf(name)])}`).join(', ')
  return new StoreError(
    `${(reason as Error).message}: a row of ${table} has ${named}, and PostgreSQL stores no U+0000: change it first`,
    { cause: reason },
  )
}

/**
 * Takes over from dead nodes, as others would, and waits until that is certain. Returns false as soon as one sends a
 * heartbeat.
 */
async function areAllGone(connection: Connection, clock: Clock): Promise<boolean> {
  const first = await connection.query(LOOK)
  for (let looks = 0; looks < QUIET_LOOKS; looks += 1) {
    if ((await connection.query(LOOK)).length === 0) return true
    await new Promise<void>((resolve) => clock.after(BEAT_EVERY_MS, resolve))
    const now = await connection.query(LOOK)
    if (now.some(([node, beat]) => first.find(([each]) => each === node)?.[1] !== beat)) return false
  }
  for (const [node] of first) await free(connection, node)
  return true
}
