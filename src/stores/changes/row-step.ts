/**
 * The requests of a rule to the store that runs it. Rules are generators: each step is one small request, and the store
 * resumes the rule with the answer. So each rule is written once, independent of the database; SQLite runs it
 * synchronously and PostgreSQL awaits each answer (docs/decisions/0019-rules-as-generators.md).
 */
import { ChangeRefused } from '../../ports/records/store-errors.ts'
import { SLICE_ITEMS, type SlicedWork } from '../../ports/system/slices.ts'
import type { Cell, Row } from '../rows/cells/cell.ts'
import type { RowTable } from '../rows/cells/table.ts'
import type { AccountBalance, BalanceLimits } from '../rows/money/ledger.ts'
import type { Payment } from '../rows/money/posting-row.ts'

export type RowStep =
  /** Returns the named columns of the rows with the values of one of `where`; if it is one, at most `max`. */
  | {
      readonly step: 'find'
      readonly table: string
      readonly where: readonly Row[]
      readonly columns: readonly string[]
      readonly max: number | null
    }
  /** Writes rows with the same columns in the same order; each replaces the row with its primary key. */
  | { readonly step: 'put'; readonly table: string; readonly rows: readonly Row[] }
  /** Writes a new row and returns a column that the database fills in. */
  | { readonly step: 'insert'; readonly table: string; readonly row: Row; readonly returning: string }
  | { readonly step: 'update'; readonly table: string; readonly set: Row; readonly where: Row }
  | { readonly step: 'remove'; readonly table: string; readonly where: readonly Row[] }
  /** Reads and locks the balance of an account until the transaction ends. */
  | { readonly step: 'read balance'; readonly accountId: number }
  | { readonly step: 'set limits'; readonly accountId: number; readonly limits: BalanceLimits }
  | { readonly step: 'pay'; readonly payment: Payment }
  /** Lets the other work of the thread run. */
  | { readonly step: 'pause' }

export interface RowAnswer {
  readonly rows?: readonly (readonly Cell[])[]
  /** How many rows were changed. */
  readonly count?: number
  readonly balance?: AccountBalance | null
}

export type Rule<T> = Generator<RowStep, T, RowAnswer>

/** Returns the named columns of the rows with these values. */
export function find<Column extends string>(
  table: string,
  where: Row,
  columns: readonly Column[],
  max: number | null = null,
): Rule<readonly Readonly<Record<Column, Cell>>[]> {
  return findAny(table, [where], columns, max)
}

/** Returns the named columns of the rows with the values of one of `where`. */
export function* findAny<Column extends string>(
  table: string,
  where: readonly Row[],
  columns: readonly Column[],
  max: number | null = null,
): Rule<readonly Readonly<Record<Column, Cell>>[]> {
  const { rows = [] } = yield { step: 'find', table, where, columns, max }
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null]))) as never
}

/** Returns the first of them, or null. */
export function* findOne<Column extends string>(
  table: string,
  where: Row,
  columns: readonly Column[],
): Rule<Readonly<Record<Column, Cell>> | null> {
  return (yield* find(table, where, columns, 1))[0] ?? null
}

/** Returns the items of a table whose rows have the values of one of `where`. */
export function* findItems<T>(
  { name, columns, read }: RowTable<T, never, never>,
  where: readonly Row[],
): Rule<readonly T[]> {
  const { rows = [] } = yield { step: 'find', table: name, where, columns, max: null }
  return rows.map(read)
}

/** Returns two columns of the rows that have one of these values in the first column, as a map. */
export function* findValues(
  table: string,
  [column, other]: readonly [string, string],
  values: Iterable<Cell>,
): Rule<ReadonlyMap<Cell, Cell>> {
  const found = new Map<Cell, Cell>()
  for (const slice of slicesOf([...new Set(values)])) {
    const where = slice.map((value) => ({ [column]: value }))
    const { rows = [] } = yield { step: 'find', table, where, columns: [column, other], max: null }
    for (const [value = null, cell = null] of rows) found.set(value, cell)
  }
  return found
}

export function* exists(table: string, where: Row): Rule<boolean> {
  const [column = ''] = Object.keys(where)
  return (yield* findOne(table, where, [column])) !== null
}

export function put(table: string, ...rows: readonly Row[]): Rule<null> {
  return putAll(table, rows)
}

/** Writes any number of items; each replaces the one with its key, also an earlier one of them. */
export function* putItems<Item>(
  { name, key, toRow }: RowTable<unknown, Item, never>,
  items: readonly Item[],
): Rule<null> {
  for (const slice of slicesOf(items)) {
    // One statement cannot write a row twice.
    const rows = new Map(slice.map(toRow).map((row) => [nameOfRow(row, key), row]))
    yield* putAll(name, [...rows.values()])
  }
  return null
}

/** Names a row by its cells in these columns. */
export function nameOfRow(row: Row, columns: readonly string[]): string {
  return JSON.stringify(columns.map((column) => row[column]))
}

/** Rows of different slices are read and written one after the other. */
export function* slicesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += SLICE_ITEMS) yield items.slice(at, at + SLICE_ITEMS)
}

/** Runs long work, which yields after each slice. */
export function* inPauses<T>(work: SlicedWork<T>): Rule<T> {
  let next = work.next()
  while (next.done !== true) {
    yield { step: 'pause' }
    next = work.next()
  }
  return next.value
}

export function putItem<Item>(table: RowTable<unknown, Item, never>, item: Item): Rule<null> {
  return putItems(table, [item])
}

/** Refuses with `absent` if there is no item with one of the keys. */
export function* removeItems<Key>(
  { name, toKey }: RowTable<unknown, never, Key>,
  keys: readonly Key[],
  absent: string,
): Rule<null> {
  for (const slice of slicesOf(keys)) {
    const { count = 0 } = yield { step: 'remove', table: name, where: slice.map(toKey) }
    if (count < slice.length) refuse(absent)
  }
  return null
}

/** Writes any number of rows; a function call takes only some ten thousand arguments. */
export function* putAll(table: string, rows: readonly Row[]): Rule<null> {
  if (rows.length > 0) yield { step: 'put', table, rows }
  return null
}

/** Returns the column that the database filled in. */
export function* insertRow(table: string, row: Row, returning: string): Rule<Cell> {
  const { rows = [] } = yield { step: 'insert', table, row, returning }
  return rows[0]?.[0] ?? null
}

/** Returns the number of rows. */
export function* updateRow(table: string, set: Row, where: Row): Rule<number> {
  return (yield { step: 'update', table, set, where }).count ?? 0
}

/** Removes the rows with the values of one of `where`; returns their number. */
export function* remove(table: string, ...where: readonly Row[]): Rule<number> {
  return where.length === 0 ? 0 : ((yield { step: 'remove', table, where }).count ?? 0)
}

/** Null for an account that does not exist. */
export function* readBalance(accountId: number): Rule<AccountBalance | null> {
  return (yield { step: 'read balance', accountId }).balance ?? null
}

export function* setLimits(accountId: number, limits: BalanceLimits): Rule<null> {
  yield { step: 'set limits', accountId, limits }
  return null
}

export function* pay(payment: Payment): Rule<null> {
  yield { step: 'pay', payment }
  return null
}

export function refuse(reason: string): never {
  throw new ChangeRefused(reason)
}

export function requireAccount(accountId: number): Rule<null> {
  return requireAccounts([accountId])
}

/** Refuses the first that does not exist; null stands for no account. */
export function* requireAccounts(ids: readonly (number | null)[]): Rule<null> {
  const wanted = ids.filter((id) => id !== null)
  const found = yield* findValues('account', ['account_id', 'account_id'], wanted)
  const missing = wanted.find((id) => !found.has(id))
  return missing === undefined ? null : refuse(`there is no account ${missing}`)
}
