/** A SQLite file as one end of a move, locked as by a gateway so that none can run concurrently. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../ports/records/store-errors.ts'
import { type Crossing, JOURNEY_LIST, JOURNEY_OBJECT } from '../move/crossings.ts'
import type { MoveMark, MovePlace } from '../move/mark.ts'
import type { ColumnReading, Counters, MoveEnd, ReadRows, Rows } from '../move/move-end.ts'
import type { Cell } from '../rows/cells/cell.ts'
import { readJourney, writeList, writeObject } from '../rows/messages/message-row.ts'
import { findTable } from '../tables/all-tables.ts'
import { checkMessages, checkOrphans, ledgerSnapshot, sumPostings, verifyLedger } from './money/verify-ledger.ts'
import { migrate, needsMigration } from './schema/schema.ts'
import { lockForGateway } from './session/gateway-lock.ts'
import { findMark, keepPlace, setMark } from './session/moving.ts'
import { createPrivate } from './session/open-database.ts'
import { SqliteTotals } from './session/sqlite-totals.ts'
import { SqlStatement } from './statement/statement.ts'

/** One fsync at the end is enough: what a power loss destroys before is written again. */
const SETTINGS = 'PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY'

/** How long to wait for a command in progress. */
const BUSY_TIMEOUT_MS = 5_000

export class SqliteEnd implements MoveEnd {
  readonly kind = 'sqlite'
  readonly name: string
  readonly #file: string
  #opened: DatabaseSync | null = null
  #unlock = () => {}
  #reading: { readonly name: string; readonly statement: SqlStatement } | null = null
  #writing: { readonly table: string; readonly statement: SqlStatement } | null = null
  #keepPlace: ((place: MovePlace) => void) | null = null

  constructor(file: string) {
    this.#file = file
    this.name = dirname(file)
  }

  async enter(): Promise<boolean> {
    if (!existsSync(this.#file)) return false
    this.#open()
    if (needsMigration(this.#database)) {
      if (!this.#hasTable('meta')) return false
      throw new StoreError(`${this.#file} was written by an older Posthorn: run posthorn migrate first`)
    }
    return (await this.seal())[0] !== '' || (await this.mark()) !== null
  }

  async mark(): Promise<MoveMark | null> {
    return findMark(this.#database)
  }

  async seal(): Promise<readonly [key: string, secret: string]> {
    const [row] = this.#query<[string, string]>('SELECT sealing_key, phone_secret FROM meta')
    return row ?? ['', '']
  }

  async prepare(): Promise<void> {
    if (this.#opened === null) {
      createPrivate(this.#file)
      this.#open()
    }
    if (!needsMigration(this.#database)) return
    this.#database.exec('PRAGMA journal_mode = WAL')
    migrate(this.#database)
  }

  async setMark(mark: MoveMark | null): Promise<void> {
    // Ends `hold`: from here on the mark keeps others out.
    if (this.#database.isTransaction) this.#database.exec('COMMIT')
    this.#database.exec('PRAGMA synchronous = FULL')
    setMark(this.#database, mark)
    this.#database.exec(`PRAGMA wal_checkpoint(TRUNCATE); ${SETTINGS}`)
  }

  async hold(): Promise<void> {
    this.#database.exec('BEGIN IMMEDIATE')
    const totals = new SqliteTotals(this.#database)
    while (totals.sumUp());
  }

  async count({ table, sqliteRows = `"${table}"` }: Crossing): Promise<number> {
    return this.#number(`SELECT count(*) FROM ${sqliteRows}`)
  }

  async read(
    crossing: Crossing,
    reading: ColumnReading,
    after: readonly Cell[] | null,
    most: number,
  ): Promise<ReadRows> {
    const { table } = crossing
    const { key } = findTable('sqlite', table)
    const name = after === null ? `${table} from its beginning` : table
    if (this.#reading?.name !== name) {
      this.#reading = {
        name,
        statement: new SqlStatement(this.#database, readingOf(crossing, key, reading, after !== null)),
      }
    }
    const found = this.#reading.statement.all(...(after ?? []), most)
    return { rows: found.map((row) => row.slice(key.length)), after: found.at(-1)?.slice(0, key.length) ?? [] }
  }

  async write(crossing: Crossing, columns: readonly string[], rows: Rows, place: MovePlace): Promise<void> {
    const { table } = crossing
    if (this.#writing?.table !== table) {
      this.#writing = { table, statement: new SqlStatement(this.#database, writingOf(crossing, columns)) }
    }
    this.#keepPlace ??= keepPlace(this.#database)
    this.#database.exec('BEGIN IMMEDIATE')
    for (const row of rows) this.#writing.statement.run(...row)
    this.#keepPlace(place)
    this.#database.exec('COMMIT')
  }

  async counters(): Promise<Counters> {
    const [row] = this.#query<[number, number]>('SELECT next_counter, node FROM meta')
    return { nextCounter: row?.[0] ?? 1, lastNode: row?.[1] ?? 0 }
  }

  async settle({ nextCounter, lastNode }: Counters): Promise<void> {
    new SqlStatement(this.#database, 'UPDATE meta SET next_counter = ?, node = ?').run(
      nextCounter,
      Math.max(lastNode, 1),
    )
  }

  async open(): Promise<readonly [messages: number, reports: number]> {
    return [
      this.#number('SELECT count(*) FROM due'),
      this.#number(`SELECT count(*) FROM report WHERE state = 'pending'`),
    ]
  }

  async verifyLedger(): Promise<readonly string[]> {
    const session = { database: this.#database }
    const [snapshot, sums] = [ledgerSnapshot(session), sumPostings(session)]
    const [messages, orphans] = [checkMessages(session), checkOrphans(session)]
    return verifyLedger({
      snapshot: async () => snapshot(),
      sums: async (after, through) => sums(after, through),
      messages: async (after) => messages(after),
      orphans: async (after) => orphans(after),
    })
  }

  async close(): Promise<void> {
    this.#opened?.close()
    this.#unlock()
  }

  get #database(): DatabaseSync {
    if (this.#opened === null) throw new StoreError(`${this.name} does not exist`)
    return this.#opened
  }

  #open(): void {
    try {
      this.#unlock = lockForGateway(this.#file, 0)
    } catch (error) {
      throw new StoreError(`a gateway or another move is running on ${this.#file}: stop it first`, { cause: error })
    }
    this.#opened = new DatabaseSync(this.#file, { timeout: BUSY_TIMEOUT_MS })
    this.#opened.exec(SETTINGS)
    this.#opened.function(JOURNEY_OBJECT, (journey) => writeObject(readJourney(String(journey))))
    this.#opened.function(JOURNEY_LIST, (journey) => writeList(readJourney(String(journey))))
  }

  #hasTable(table: string): boolean {
    return this.#number('SELECT count(*) FROM sqlite_schema WHERE name = ?', table) > 0
  }

  #query<Row extends readonly Cell[]>(sql: string, ...values: readonly Cell[]): readonly Row[] {
    return new SqlStatement<Row>(this.#database, sql).all(...values)
  }

  #number(sql: string, ...values: readonly Cell[]): number {
    return this.#query<[number]>(sql, ...values)[0]?.[0] ?? 0
  }
}

function readingOf(
  { table, sqliteRows = `"${table}"` }: Crossing,
  key: readonly string[],
  reading: ColumnReading,
  isBehind: boolean,
): string {
  // Qualified, because an expression may be selected under the same name.
  const names = key.map((name) => `"${table}"."${name}"`).join(', ')
  const columns = [names, ...reading.map(([, sql]) => sql)].join(', ')
  const where = isBehind ? `WHERE (${names}) > (${key.map(() => '?').join(', ')})` : ''
  return `SELECT ${columns} FROM ${sqliteRows} AS "${table}" ${where} ORDER BY ${names} LIMIT ?`
}

/** A table with one row has it from the beginning. */
function writingOf({ table, intoSqlite = {} }: Crossing, columns: readonly string[]): string {
  const names = columns.map((name) => `"${name}"`).join(', ')
  const places = columns.map((name) => (name in intoSqlite ? `${intoSqlite[name]}(?)` : '?')).join(', ')
  if (columns.includes('one')) return `UPDATE "${table}" SET (${names}) = (${places})`
  return `INSERT INTO "${table}" (${names}) VALUES (${places})`
}
