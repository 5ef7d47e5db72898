/** Prints tables as SQLite creates them. */
import { type Column, type ColumnType, quoted, type Table } from './declaration.ts'

const TYPES: Readonly<Record<ColumnType, string>> = {
  smallint: 'INTEGER',
  integer: 'INTEGER',
  bigint: 'INTEGER',
  double: 'REAL',
  text: 'TEXT',
  name: 'TEXT',
  bytes: 'BLOB',
}

/** Returns the statements that create it, with its indexes and its first row. */
export function createInSqlite(table: Table): readonly string[] {
  const { name, columns, key, unique, checks = {}, row } = table
  const [only] = key.length === 1 ? key : []
  const parts = [
    ...columns.map((column) => columnInSqlite(column, column.name === only)),
    ...(only === undefined ? [`PRIMARY KEY (${key.map(quoted).join(', ')})`] : []),
    ...(unique === undefined ? [] : [`UNIQUE (${unique.split(', ').map(quoted).join(', ')})`]),
    ...Object.values(checks).map((check) => `CHECK (${check})`),
  ]
  // An integer key is the number of the row itself.
  const isRow = table.hasRowid || columns.some((column) => column.name === only && TYPES[column.type] === 'INTEGER')
  return [
    `CREATE TABLE ${name} (\n  ${parts.join(',\n  ')}\n) STRICT${isRow ? '' : ', WITHOUT ROWID'}`,
    ...table.indexes.map((index) => printIndex(name, index)),
    ...table.also,
    ...(row === undefined ? [] : [`INSERT INTO ${name} VALUES (${row})`]),
  ]
}

/** Returns the column as CREATE TABLE and ADD COLUMN have it. */
export function columnInSqlite(column: Column, isKey: boolean): string {
  const { name, type, isNull, isUsedOnce, preset, references } = column
  return [
    `${quoted(name)} ${TYPES[type]}`,
    ...(isKey ? [`PRIMARY KEY${isUsedOnce ? ' AUTOINCREMENT' : ''}`] : isNull ? [] : ['NOT NULL']),
    ...(preset === null ? [] : [`DEFAULT ${preset}`]),
    ...(references === null ? [] : [`REFERENCES ${references}`]),
  ].join(' ')
}

/** `index` as it is declared; `suffix` of its name. */
export function printIndex(table: string, index: string, suffix = ''): string {
  const [, unique = '', name = '', rest = ''] = /^(UNIQUE )?(\w+) (.*)$/.exec(index) ?? []
  return `CREATE ${unique}INDEX ${name}${suffix} ON ${table} ${rest}`
}
