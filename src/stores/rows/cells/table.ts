/**
 * A table whose rows are read and written whole, as items: the row to write, the item of a row, and the SQL follow from
 * the declared columns, and from how fields are stored that are not stored as they are.
 */
import { KeptValues } from '../../../domain/structures/kept-values.ts'
import { type ColumnName, findTable, type TableName } from '../../tables/all-tables.ts'
import { quoted } from '../../tables/declaration.ts'
import type { Cell, Row } from './cell.ts'

/** How a field is stored in its column. */
interface Column<T> {
  /** Absent: the name of the field, in snake_case. */
  readonly name?: string
  /** Returns undefined for a field that the item does not have. */
  read(cell: Cell): T
  /** Null for a column that is not written here. */
  readonly write: ((value: T) => Cell) | null
}

/** `Written` are the items as written, which may lack read-only fields. */
export interface RowTable<T = unknown, Written = T, Key = Written> {
  readonly name: string
  /** The columns of the primary key. */
  readonly key: readonly string[]
  /** The columns to read, in order. */
  readonly columns: readonly string[]
  /** The columns that the rows are sorted by. */
  readonly order: readonly string[]
  /** What follows FROM. */
  readonly from: string
  read(cells: readonly Cell[]): T
  toRow(item: Written): Row
  toKey(item: Key): Row
}

// A column of any type: its reader and writer match its field.
type AnyColumn = Column<never>

/** Texts of JSON whose values are kept, and their length. */
const MAX_KNOWN = 200
const MAX_KNOWN_LENGTH = 4_096

const PLAIN: AnyColumn = { read: (cell) => cell as never, write: (value) => value }
export const FLAG_COLUMN: AnyColumn = { read: (cell) => (cell === 1) as never, write: (value) => Number(value) }
const readJson = sharing((value) => value)
export const JSON_TEXT: AnyColumn = {
  read: (cell) => (cell === null ? null : readJson(String(cell))) as never,
  write: (value) => (value === null ? null : JSON.stringify(value)),
}
/** For primary keys, in which no two NULLs are equal. */
export const NULL_AS_ZERO: AnyColumn = {
  read: (cell) => (cell === 0 ? null : cell) as never,
  write: (value) => value ?? 0,
}
export const NULL_AS_EMPTY: AnyColumn = {
  read: (cell) => (cell === '' ? null : cell) as never,
  write: (value) => value ?? '',
}
/** For an optional field. */
export const ABSENT_AS_NULL: AnyColumn = {
  read: (cell) => (cell ?? undefined) as never,
  write: (value) => value ?? null,
}

/** A column with another name than its field. */
export function namedColumn(name: string, column = PLAIN): AnyColumn {
  return { ...column, name }
}

/** A column written by other changes. */
export function readOnly(column = PLAIN): AnyColumn {
  return { ...column, write: null }
}

/** JSON; missing members have their defaults. */
export function jsonOver(defaults: object): AnyColumn {
  const read = sharing((value) => ({ ...defaults, ...value }))
  return { ...JSON_TEXT, read: (cell) => read(String(cell)) as never }
}

/** Reads JSON. Equal texts share one object: most accounts have the same settings, and there may be very many. */
function sharing(complete: (value: object) => object): (text: string) => unknown {
  const known = new KeptValues<string, object>(MAX_KNOWN)
  return (text) => {
    const same = known.get(text)
    if (same !== undefined) return same
    const value = complete(JSON.parse(text))
    if (text.length <= MAX_KNOWN_LENGTH) known.set(text, value)
    return value
  }
}

/** `account_id` as a field: `accountId`. */
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name
/** The fields of items that are stored as they are, in the column of their name. */
type Plain<T, Name extends TableName> = {
  [Field in keyof T]-?: Field extends Camel<ColumnName<Name>> ? (T[Field] extends Cell ? Field : never) : never
}[keyof T]
/** The columns of all other fields, or it does not compile. */
type Special<T, Name extends TableName> = Readonly<
  Record<Exclude<keyof T, Plain<T, Name>>, AnyColumn> & Partial<Record<Plain<T, Name>, AnyColumn>>
>

/** `order` goes before that of the primary key. */
export function table<Name extends TableName>(
  name: Name,
  { from = name, order = [] }: { readonly from?: string; readonly order?: readonly ColumnName<Name>[] } = {},
) {
  const { columns: declared } = findTable('postgres', name)
  const { key } = findTable('sqlite', name)
  return <T extends object, Written extends object = T, Key extends keyof Written = keyof Written>(
    special: Special<T, Name>,
  ): RowTable<T, Written, Pick<Written, Key>> => {
    const given = Object.entries<AnyColumn>(special).map(([field, column]) => {
      return { field, ...column, name: column.name ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) }
    })
    const columns = [...new Set([...declared, ...given].map((column) => column.name))]
    const all = columns.map((column) => {
      const field = column.replace(/_[a-z]/g, (part) => part.slice(1).toUpperCase())
      return given.find((each) => each.name === column) ?? { ...PLAIN, field, name: column }
    })
    const written = all.filter(({ write }) => write !== null)
    const keyed = key.flatMap((column) => all.filter((each) => each.name === column))
    const write = (some: typeof all, item: object): Row =>
      Object.fromEntries(some.map((each) => [each.name, each.write?.(Reflect.get(item, each.field) as never) ?? null]))
    return {
      ...{ name, key, columns, from, order: [...order, ...key] },
      read: (cells) => {
        const item: Record<string, unknown> = {}
        let at = 0
        for (const { field, read } of all) {
          const value: unknown = read(cells[at++] ?? null)
          if (value !== undefined) item[field] = value
        }
        return item as T
      },
      toRow: (item) => write(written, item),
      toKey: (item) => write(keyed, item),
    }
  }
}

export function selectFrom({ columns, from }: Pick<RowTable, 'columns' | 'from'>): string {
  return `SELECT ${columns.map(quoted).join(', ')} FROM ${from}`
}

export function inOrder({ order }: Pick<RowTable, 'order'>): string {
  return `ORDER BY ${order.map(quoted).join(', ')}`
}
