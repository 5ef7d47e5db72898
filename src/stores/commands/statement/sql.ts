/**
 * The statements of commands, each written once for both databases. A text has a question mark for each value and these
 * words, of which all but `{any}` are empty on SQLite:
 *
 * - `{bucket}`, `{table.bucket}`: in the bucket of the command, and. `{same bucket a b}`: in the same one, and.
 * - `{bucket,}`: the column, in a list. `{buckets}`: in one of a list of buckets, the first value, and.
 * - `{lock}`: locks the rows that are read.
 * - `{any bigint}`: equals one of a list.
 */
import type { Cell } from '../../rows/cells/cell.ts'
import { findTable, type TableName } from '../../tables/all-tables.ts'
import { type Seal, sealsIn } from './seals.ts'

export interface Sql<Row extends readonly Cell[] = readonly Cell[]> {
  readonly text: string
  /** The parts of an INSERT of rows; null for other statements. */
  readonly insert: Insert | null
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

const made: Sql[] = []

/** Returns every statement of the modules that were loaded. */
export function allSql(): readonly Sql[] {
  return made
}

/** Any statement; of its rows, sealed cells of `opened` are opened: its first columns, all of one table. */
export function sql<Row extends readonly Cell[] = readonly Cell[]>(text: string, opened?: Columns): Sql<Row> {
  return make<Row>({ text, opens: opened === undefined ? [] : sealsIn(opened.table, opened.columns.split(', ')) })
}

/** Reads from any bucket by an index of its own. */
export function lookUp<Row extends readonly Cell[]>(table: TableName, columns: string, rest: string): Sql<Row> {
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

/** Sets columns of the rows with this key, whose values come last; sealed columns are sealed. */
export function update(table: TableName, set: string, key: string): Sql {
  const columns = set.split(', ')
  const keys = key.split(', ')
  const bucket = findTable('postgres', table).bucket === null ? '' : '{bucket} '
  const isKey = keys.map((name) => `${name} = ?`).join(' AND ')
  const text = `UPDATE ${table} SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE ${bucket}${isKey}`
  return make({ text, seals: sealsIn(table, [...columns, ...keys]) })
}

function make<Row extends readonly Cell[] = readonly Cell[]>(part: Pick<Sql, 'text'> & Partial<Sql>): Sql<Row> {
  const statement = { insert: null, isLookUp: false, opens: [], seals: [], ...part }
  made.push(statement)
  return statement as Sql<Row>
}
