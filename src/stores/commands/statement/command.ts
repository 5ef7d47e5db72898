/**
 * A command of a store as a generator: it yields statements, and the runner of each store executes them, synchronously
 * on SQLite and awaited on PostgreSQL (docs/decisions/0047-commands-as-generators.md). Commands never hold the vault:
 * its key may change at every wait, so runners seal and open the declared columns.
 */
import type { Cell, Value } from '../../rows/cells/cell.ts'
import type { Sql } from './sql.ts'

/** A statement with its values. */
export interface Query<Row extends readonly Cell[] = readonly Cell[]> {
  readonly sql: Sql<Row>
  readonly values: readonly Value[]
  /** Null: that of `withBucket`. `each`: all of them, and their rows together. */
  readonly bucket: number | 'each' | null
}

export type CommandStep =
  /** Returns the rows of each query. PostgreSQL sends all of them before it waits. */
  | { readonly kind: 'read'; readonly queries: readonly Query[] }
  /** PostgreSQL does not wait for it; if it fails, the command fails. */
  | { readonly kind: 'write'; readonly queries: readonly Query[] }
  /** Returns how many rows each query changed. */
  | { readonly kind: 'change'; readonly queries: readonly Query[] }
  /** What a store does in its own way. */
  | { readonly kind: 'own'; readonly work: () => unknown }

export type Command<T> = Generator<CommandStep, T, unknown>

export function query<Row extends readonly Cell[]>(sql: Sql<Row>, ...values: readonly Value[]): Query<Row> {
  return { sql, values, bucket: null }
}

/** Asks each bucket, by a statement in a bucket. */
export function queryEach<Row extends readonly Cell[]>(sql: Sql<Row>, ...values: readonly Value[]): Query<Row> {
  return { sql, values, bucket: 'each' }
}

/** Returns the rows of one statement. */
export function* rows<Row extends readonly Cell[]>(
  sql: Sql<Row>,
  ...values: readonly Value[]
): Command<readonly Row[]> {
  const [found] = yield* readAll(query(sql, ...values))
  return found
}

/** Returns the first row; undefined if there is none. */
export function* first<Row extends readonly Cell[]>(
  sql: Sql<Row>,
  ...values: readonly Value[]
): Command<Row | undefined> {
  return (yield* rows(sql, ...values))[0]
}

/** Returns the rows of each of several statements. */
export function readAll<Queries extends readonly Query[]>(
  ...queries: Queries
): Command<{ readonly [At in keyof Queries]: Queries[At] extends Query<infer Row> ? readonly Row[] : never }> {
  return ask({ kind: 'read', queries })
}

/** Executes the statement once for each of these rows of values. */
export function* write(sql: Sql, ...rowsOfValues: readonly (readonly Value[])[]): Command<void> {
  if (rowsOfValues.length > 0) {
    yield* ask({ kind: 'write', queries: rowsOfValues.map((values) => query(sql, ...values)) })
  }
}

/** Returns how many rows each of the statements changed. */
export function change(...queries: readonly Query[]): Command<readonly number[]> {
  return ask({ kind: 'change', queries })
}

/** Waits for work that each store does in its own way. */
export function own<T>(work: () => T | Promise<T>): Command<T> {
  return ask({ kind: 'own', work })
}

/** Runs the command in this bucket. */
export function* withBucket<T>(bucket: number, command: Command<T>): Command<T> {
  let next = command.next()
  while (next.done !== true) next = command.next(yield placed(next.value, bucket))
  return next.value
}

function placed(step: CommandStep, bucket: number): CommandStep {
  if (step.kind === 'own') return step
  return { ...step, queries: step.queries.map((each) => ({ ...each, bucket: each.bucket ?? bucket })) }
}

/** The one place where the answer of a runner gets its type. */
function* ask<T>(step: CommandStep): Command<T> {
  return (yield step) as T
}
