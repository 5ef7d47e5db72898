/**
 * The statements of commands, each written once for both databases. A text has a question mark for each value and these
 * words, of which the first four are empty on SQLite:
 *
 * - `{bucket}`, `{table.bucket}`: in the bucket of the command, and. `{same bucket a b}`: in the same one, and.
 * - `{bucket,}`: the column, in a list.
 * - `{lock}`: locks the rows that are read.
 * - `{hold}`: only keeps others from locking them.
 * - `{buckets}`: in one of a list of buckets, the first value, and.
 * - `{any bigint}`: equals one of a list. `{to phones}`: a message to one of a list of phones.
 * - `{hook}`: the hook of a report, its address without the query. `{to hook}`: a report to a hook.
 * - `{client hooks}`: account and number of each hook that clients have.
 */
import type { Cell } from '../../rows/cells/cell.ts'
import { findTable, type TableName } from '../../tables/all-tables.ts'
import { type Seal, sealsIn } from './seals.ts'

/**
 * For statements that find rows by their ids. The plan of `state = 'pending'` or `node = 0` that PostgreSQL makes while
 * few rows are so would read all of them by an index for those alone, however many there are later.
 */
export const STILL_PENDING = `state || '' = 'pending'`
export const STILL_NODE = 'node + 0'

export interface Sql<Row extends readonly Cell[] = readonly Cell[]> {
  readonly text: string
  /** The parts of an INSERT of rows; null for other statements. */
  readonly insert: Insert | null
  /** The parts of an UPDATE of rows in a bucket; null for other statements. */
  readonly update: Update | null
  /** Searches all buckets by an index, and only reads. */
  readonly isLookUp: boolean
  /** The sealed cells of the rows that it returns. */
  readonly opens: readonly Seal[]
  /** The sealed cells among its values. */
  readonly seals: readonly Seal[]
  /** For the compiler only: the type of its rows. */
  readonly row?: Row
}

interface Columns {
  readonly table: TableName
  readonly columns: string
}

interface Insert extends Columns {
  readonly onConflict: string
}

interface Update extends Columns {
  readonly key: string
  readonly also: string | null
}

const made: Sql[] = []

/** Returns every statement of the modules that were loaded. */
export function allSql(): readonly Sql[] {
  return made
}

/** Any statement; of its rows, sealed cells of `opened` are opened: the names of its first columns, by table. */
export function sql<Row extends readonly Cell[] = readonly Cell[]>(
  text: string,
  ...opened: readonly Columns[]
): Sql<Row> {
  return make<Row>({ text, opens: opened.flatMap(({ table, columns }) => sealsIn(table, columns.split(', '))) })
}

const kept = new Map<string, Sql>()

/** The same for a text that is put together each time; there are few different ones. */
export function keptSql<Row extends readonly Cell[] = readonly Cell[]>(
  text: string,
  ...opened: readonly Columns[]
): Sql<Row> {
  const statement = kept.get(text) ?? sql(text, ...opened)
  kept.set(text, statement)
  return statement as Sql<Row>
}

/** Reads from any bucket by an index of its own. */
export function lookUpRows<Row extends readonly Cell[]>(table: TableName, columns: string, rest: string): Sql<Row> {
  const text = `SELECT ${columns} FROM ${table} ${rest}`
  return make<Row>({ text, opens: sealsIn(table, columns.split(', ')), isLookUp: true })
}

/** Reads columns of one table; sealed ones are opened. */
export function select<Row extends readonly Cell[]>(table: TableName, columns: string, rest: string): Sql<Row> {
  return sql<Row>(`SELECT ${columns} FROM ${table} ${rest}`, { table, columns })
}

/** Inserts rows in the bucket of the command; sealed columns are sealed. */
export function insert(table: TableName, columns: string, onConflict = ''): Sql {
  const names = columns.split(', ')
  const values = names.map(() => '?').join(', ')
  const text = `INSERT INTO ${table} (${columns}) VALUES (${values}) ${onConflict}`.trim()
  return make({ text, insert: { table, columns, onConflict }, seals: sealsIn(table, names) })
}

/**
 * Sets columns of the rows with this key, whose values come last; sealed columns are sealed. `also` is set in every
 * such row.
 */
export function update(table: TableName, set: string, key: string, also?: string): Sql {
  const columns = set.split(', ')
  const keys = key.split(', ')
  const isInBucket = findTable('postgres', table).bucket !== null
  const bucket = isInBucket ? '{bucket} ' : ''
  const sets = [...columns.map(isGiven), ...(also === undefined ? [] : [also])].join(', ')
  const text = `UPDATE ${table} SET ${sets} WHERE ${bucket}${keys.map(isGiven).join(' AND ')}`
  const parts = { table, columns: set, key, also: also ?? null }
  return make({ text, update: isInBucket ? parts : null, seals: sealsIn(table, [...columns, ...keys]) })
}

function isGiven(name: string): string {
  return `${name} = ?`
}

function make<Row extends readonly Cell[] = readonly Cell[]>(part: Pick<Sql, 'text'> & Partial<Sql>): Sql<Row> {
  const statement = { insert: null, update: null, isLookUp: false, opens: [], seals: [], ...part }
  made.push(statement)
  return statement as Sql<Row>
}
