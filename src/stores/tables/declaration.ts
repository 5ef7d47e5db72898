/**
 * How a table is declared, once for both stores. Times are milliseconds since 1970, money is micros, booleans are 0 and
 * 1, lists and trees are JSON. To change a table see all-tables.ts.
 */
export type StoreKind = 'sqlite' | 'postgres'

/** A `name` is a text that is compared or sorted, in PostgreSQL bytewise. */
export type ColumnType = 'smallint' | 'integer' | 'bigint' | 'double' | 'text' | 'name' | 'bytes'

/**
 * How PostgreSQL finds the bucket of a row, its first column; `every`: the row is stored in all of them. SQLite has no
 * buckets: one file is one shard.
 */
export type BucketRule = 'account' | 'message' | 'bulk' | 'carrier' | 'inbound' | 'carrier id' | 'usage' | 'every'

/**
 * How a column is sealed. `bound`: always, with its place since places are sealed. `secret`: always. `text`: unless it
 * is from before texts were sealed. `bytes`: always, as bytes. `address`: the query of an address, unless it is from
 * before addresses were sealed. `addresses`: the same, of all addresses in JSON.
 */
export type SealKind = 'bound' | 'secret' | 'text' | 'bytes' | 'address' | 'addresses'

/** A type and what `WORDS` knows, in that order. Columns are NOT NULL unless they say `null`. */
type ColumnText = ColumnType | `${ColumnType} ${string}`

export interface Declaration {
  /** Why the table exists. */
  readonly why: string
  /** Null for a table that has no buckets. */
  readonly bucket?: BucketRule
  readonly columns: Readonly<Record<string, ColumnText>>
  /** The columns of the primary key. SQLite leaves out the bucket, there and in `indexes`. */
  readonly key: string
  readonly unique?: string
  /** Conditions by their names. */
  readonly checks?: Readonly<Record<string, string>>
  /** As `name (columns) WHERE condition`, or with `UNIQUE` in front. */
  readonly indexes?: readonly string[]
  /** The values of the row that a new table has. */
  readonly row?: string
  /** The store that has the table, if not both. */
  readonly only?: StoreKind
  /** It is not moved to the other store, which has its own rows. */
  readonly stays?: true
  readonly sqlite?: OwnPart & {
    /** Rows are large, and kept apart from the key. */
    readonly hasRowid?: true
  }
  readonly postgres?: OwnPart & {
    /** Space that is left for updates. */
    readonly fillfactor?: number
    /** The table is partitioned by msg_id, which follows time: weeks of one partition. */
    readonly weeks?: number
  }
}

/** What one store has instead, or besides. */
interface OwnPart extends Partial<Pick<Declaration, 'columns' | 'unique' | 'indexes' | 'row'>> {
  /** Null for none. */
  readonly key?: string | null
  /** Columns that stand before all others. */
  readonly first?: string
  /** Further statements: triggers, sequences. */
  readonly also?: readonly string[]
}

export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly isNull: boolean
  /** Numbered by the database. */
  readonly isIdentity: boolean
  /** SQLite never uses its numbers again. */
  readonly isUsedOnce: boolean
  readonly generated: string | null
  readonly preset: string | null
  readonly references: string | null
  readonly sealed: SealKind | null
}

/** A table as one store has it. */
export interface Table extends Pick<Declaration, 'checks' | 'unique' | 'row' | 'only' | 'stays'> {
  readonly name: string
  readonly bucket: BucketRule | null
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  readonly indexes: readonly string[]
  readonly also: readonly string[]
  readonly hasRowid: boolean
  readonly fillfactor: number | null
  readonly weeks: number | null
}

const WORDS = new RegExp(
  '^(?<type>\\w+)(?<null> null)?(?<identity> identity)?(?<once> autoincrement)?(?: generated (?<generated>\\(.+\\)))?' +
    '(?: default (?<preset>\\S+))?(?: references (?<references>\\w+))?(?: sealed (?<sealed>\\w+))?(?: only (?<only>\\w+))?$',
)

/** Returns the table as this store has it. */
export function tableOf(name: string, declaration: Declaration, store: StoreKind): Table {
  const own: OwnPart = declaration[store] ?? {}
  const { bucket = null, row = declaration.row, unique = declaration.unique } = { ...own, bucket: declaration.bucket }
  const hasBucket = store === 'postgres' && bucket !== null
  const texts = { ...(hasBucket && { bucket: 'smallint' }), ...declaration.columns, ...own.columns }
  const columns = Object.entries(texts).flatMap(([column, text]) => readColumn(column, text, store))
  const first = split(own.first ?? '')
  const key = own.key === undefined ? declaration.key : (own.key ?? '')
  return {
    ...{ name, bucket },
    ...(declaration.only && { only: declaration.only }),
    ...(declaration.stays && { stays: declaration.stays }),
    columns: [...first.flatMap((each) => columns.filter((column) => column.name === each)), ...without(columns, first)],
    key: split(key).filter((column) => store === 'postgres' || column !== 'bucket'),
    ...(unique !== undefined && { unique }),
    ...(declaration.checks && { checks: declaration.checks }),
    indexes: [...(declaration.indexes ?? []), ...(own.indexes ?? [])].map((index) =>
      store === 'postgres' ? index : index.replace('(bucket, ', '('),
    ),
    ...(row !== undefined && { row }),
    also: own.also ?? [],
    hasRowid: declaration.sqlite?.hasRowid ?? false,
    fillfactor: declaration.postgres?.fillfactor ?? null,
    weeks: declaration.postgres?.weeks ?? null,
  }
}

/** Quotes a column name: one of ours is a reserved word. */
export function quoted(column: string): string {
  return column === 'user' ? '"user"' : column
}

/** Returns none if the column is in the other store only. Throws for words that are unknown or in another order. */
function readColumn(name: string, text: string, store: StoreKind): readonly Column[] {
  const words = WORDS.exec(text)?.groups
  if (words === undefined) throw new Error(`the column ${name} cannot be read: ${text}`)
  if (words['only'] !== undefined && words['only'] !== store) return []
  return [
    {
      name,
      type: words['type'] as ColumnType,
      isNull: words['null'] !== undefined,
      isIdentity: words['identity'] !== undefined,
      isUsedOnce: words['once'] !== undefined,
      generated: words['generated'] ?? null,
      preset: words['preset'] ?? null,
      references: words['references'] ?? null,
      sealed: (words['sealed'] as SealKind | undefined) ?? null,
    },
  ]
}

function without(columns: readonly Column[], names: readonly string[]): readonly Column[] {
  return columns.filter(({ name }) => !names.includes(name))
}

function split(names: string): readonly string[] {
  return names === '' ? [] : names.split(', ')
}
