/**
 * The statements that this store asks, each written down once and prepared once on every connection. Three kinds, for
 * the database may be spread over many servers by `bucket`: most work in one bucket and name it; look-ups find by
 * something else and ask all of them, reading only; the rest is rare. test/stores/postgres-statements.test.ts holds it.
 */
import type { Cell } from '../rows/cell.ts'

export interface Statement<Row extends readonly Cell[] = readonly Cell[]> {
  /** Under which a connection has it prepared. */
  readonly name: string
  readonly kind: 'bucket' | 'look-up' | 'rare'
  readonly text: string
  /** For the compiler alone: what its rows are. */
  readonly row?: Row
}

const made: Statement[] = []

/** Every statement of the modules that were loaded. */
export function allStatements(): readonly Statement[] {
  return made
}

/** Works in the bucket that is its first parameter. */
export function inBucket<Row extends readonly Cell[] = readonly Cell[]>(text: string): Statement<Row> {
  return make('bucket', text)
}

/** Reads what may be in any bucket, found by an index of its own. */
export function lookUp<Row extends readonly Cell[] = readonly Cell[]>(text: string): Statement<Row> {
  return make('look-up', text)
}

/** Set-up, sweeping, checking, taking over: may ask anything. */
export function rare<Row extends readonly Cell[] = readonly Cell[]>(text: string): Statement<Row> {
  return make('rare', text)
}

/** Rare, and parsed anew each time. */
export function unnamed<Row extends readonly Cell[] = readonly Cell[]>(text: string): Statement<Row> {
  return { ...make<Row>('rare', text), name: '' }
}

/** A row for each that is handed over, written only where the node has its lease: parameters are bucket, node, columns. */
export function insertion(table: string, columns: Readonly<Record<string, ArrayType>>, onConflict = ''): Statement {
  const names = Object.keys(columns)
  return inBucket(
    `INSERT INTO ${table} (bucket, ${names.join(', ')})
     SELECT lease.bucket, ${names.map((name) => `new.${name}`).join(', ')}
     FROM lease CROSS JOIN ${unnest(columns, 3)}
     WHERE lease.bucket = $1 AND lease.node = $2 ${onConflict}`,
  )
}

export type ArrayType = 'bigint' | 'integer' | 'smallint' | 'text' | 'bytea' | 'double precision'

/** Arrays as rows called `new`, the first of them parameter number `first`. */
export function unnest(columns: Readonly<Record<string, ArrayType>>, first: number): string {
  const arrays = Object.values(columns).map((type, index) => `$${first + index}::${type}[]`)
  return `unnest(${arrays.join(', ')}) AS new (${Object.keys(columns).join(', ')})`
}

function make<Row extends readonly Cell[]>(kind: Statement['kind'], text: string): Statement<Row> {
  const statement = { name: `posthorn ${made.length}`, kind, text }
  made.push(statement)
  return statement
}
