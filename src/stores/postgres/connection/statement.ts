/**
 * The statements of this store, each defined once and prepared once per connection. Three kinds, because the database
 * may be distributed over many servers by `bucket`: most name their one bucket, or where all are on one server the
 * bucket of each row; look-ups search all of them by something else and only read; the rest is rare.
 * test/stores/postgres-statements.test.ts checks it.
 */
import type { Cell } from '../../rows/cells/cell.ts'
import { findColumn, type TableName } from '../../tables/all-tables.ts'
import type { ColumnType } from '../../tables/declaration.ts'
import type { ArrayType } from './binary-array.ts'

export interface SqlStatement<Row extends readonly Cell[] = readonly Cell[]> {
  /** The name it is prepared under. */
  readonly name: string
  readonly kind: 'bucket' | 'many buckets' | 'look-up' | 'rare'
  readonly text: string
  /** The element types of the parameters that are arrays, each by its place. */
  readonly arrays: ReadonlyMap<number, ArrayType>
  /** The same for rows of many buckets, whose first parameter is the bucket of each row; null if there is none. */
  readonly ofMany: SqlStatement<Row> | null
  /** For the compiler only: the type of its rows. */
  readonly row?: Row
}

const made: SqlStatement[] = []

/** Returns every statement of the modules that were loaded. */
export function allStatements(): readonly SqlStatement[] {
  return made
}

/** Works in the bucket that is its first parameter. */
export function inBucket<Row extends readonly Cell[] = readonly Cell[]>(text: string): SqlStatement<Row> {
  return make('bucket', text)
}

/**
 * Works on rows of the bucket that is its first parameter: `unnest` has their columns, as `new`, and a condition
 * `table.bucket = $1` says which of them is meant. Where all buckets are on one server, rows of many buckets need one
 * statement.
 */
export function onRows<Row extends readonly Cell[] = readonly Cell[]>(text: string): SqlStatement<Row> {
  return { ...inBucket<Row>(text), ofMany: onRowsOfMany(text) }
}

/** Returns the same for rows of many buckets. */
function onRowsOfMany<Row extends readonly Cell[]>(text: string): SqlStatement<Row> {
  const many = text
    .replace('unnest(', 'unnest($1::smallint[], ')
    .replace('AS new (', 'AS new (bucket, ')
    .replace(/\.bucket = \$1\b/g, '.bucket = new.bucket')
  return make<Row>('many buckets', many)
}

/** Reads from any bucket by an index of its own. */
export function lookUp<Row extends readonly Cell[] = readonly Cell[]>(text: string): SqlStatement<Row> {
  return make('look-up', text)
}

/** Configuration, sweeping, checking, taking over: may query anything. */
export function rare<Row extends readonly Cell[] = readonly Cell[]>(text: string): SqlStatement<Row> {
  return make('rare', text)
}

/** Rare, and parsed anew each time. */
export function unnamed<Row extends readonly Cell[] = readonly Cell[]>(text: string): SqlStatement<Row> {
  return { ...make<Row>('rare', text), name: '' }
}

/**
 * Inserts the given rows only if the node has its lease: parameters are bucket, node, columns. Rows of one bucket are
 * unnested in the list of the SELECT, because a function in FROM first copies each column on its own.
 */
export function insertion(table: TableName, columns: string, onConflict = ''): SqlStatement {
  const types = typesOf(table, columns)
  const names = Object.keys(types)
  const insert = `INSERT INTO ${table} (bucket, ${names.join(', ')})`
  const guard = 'WHERE lease.bucket = $1 AND lease.node = $2'
  const cells = arrayParameters(types, 3).map((array, index) => `unnest(${array}) AS ${names[index]}`)
  const ofMany = onRowsOfMany(
    `${insert} SELECT lease.bucket, ${names.map((name) => `new.${name}`).join(', ')}
     FROM lease CROSS JOIN ${unnest(types, 3)} ${guard} ${onConflict}`,
  )
  return { ...inBucket(`${insert} SELECT lease.bucket, ${cells.join(', ')} FROM lease ${guard} ${onConflict}`), ofMany }
}

/** Sets columns of rows with these keys, which are the last columns of parameters. */
export function updating(table: TableName, columns: string, key: string, also: string | null): SqlStatement {
  const isGiven = (name: string) => `${name} = new.${name}`
  const sets = [...columns.split(', ').map(isGiven), ...(also === null ? [] : [also])].join(', ')
  const keys = key.split(', ').map((name) => `${table}.${isGiven(name)}`)
  return onRows(
    `UPDATE ${table} SET ${sets} FROM ${unnest(typesOf(table, `${columns}, ${key}`), 2)}
     WHERE ${[`${table}.bucket = $1`, ...keys].join(' AND ')}`,
  )
}

const ARRAY_TYPES: Readonly<Record<ColumnType, ArrayType>> = {
  ...{ smallint: 'smallint', integer: 'integer', bigint: 'bigint' },
  ...{ double: 'double precision', text: 'text', name: 'text', bytes: 'bytea' },
}

/** Returns the types of these columns as they are declared, as arrays have them. */
export function typesOf(table: TableName, columns: string): Readonly<Record<string, ArrayType>> {
  return Object.fromEntries(
    columns.split(/,\s+/).map((name) => [name, ARRAY_TYPES[findColumn('postgres', table, name).type]] as const),
  )
}

/** Returns arrays as rows called `new`, the first of them parameter number `first`. */
export function unnest(columns: Readonly<Record<string, ArrayType>>, first: number): string {
  return `unnest(${arrayParameters(columns, first).join(', ')}) AS new (${Object.keys(columns).join(', ')})`
}

function arrayParameters(columns: Readonly<Record<string, ArrayType>>, first: number): readonly string[] {
  return Object.values(columns).map((type, index) => `$${first + index}::${type}[]`)
}

function make<Row extends readonly Cell[]>(kind: SqlStatement['kind'], text: string): SqlStatement<Row> {
  const statement = { name: `posthorn ${made.length}`, kind, text, arrays: arraysIn(text), ofMany: null }
  made.push(statement)
  return statement
}

/** `$2::bigint[]` */
const ARRAY = /\$(\d+)::([a-z ]+)\[\]/g

function arraysIn(text: string): ReadonlyMap<number, ArrayType> {
  return new Map([...text.matchAll(ARRAY)].map(([, number, type]) => [Number(number) - 1, type as ArrayType]))
}
