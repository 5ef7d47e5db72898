/**
 * All tables, those that others refer to first, and tables that grow with messages last. The list of a store is also
 * the order in which they are created, sealed anew, and moved to the other store.
 *
 * To change a table, change its declaration, and append a step for existing databases to changes.ts:
 * test/stores/migrations.test.ts compares a new database with one that was migrated.
 */
import { BULK_TABLES } from './bulks.ts'
import { CLIENTS_TABLES } from './clients.ts'
import { type Column, type Declaration, type StoreKind, type Table, tableOf } from './declaration.ts'
import { DIRECTORY_TABLES } from './directory.ts'
import { INBOUND_TABLES } from './inbound.ts'
import { INSTALLATION_TABLES } from './installation.ts'
import { MESSAGE_TABLES } from './messages.ts'
import { MONEY_TABLES } from './money.ts'
import { OPERATING_TABLES } from './operating.ts'
import { STATISTICS_TABLES } from './statistics.ts'

const DECLARED = {
  ...INSTALLATION_TABLES,
  ...DIRECTORY_TABLES,
  ...OPERATING_TABLES,
  ...CLIENTS_TABLES,
  ...STATISTICS_TABLES,
  ...MONEY_TABLES,
  ...INBOUND_TABLES,
  ...BULK_TABLES,
  ...MESSAGE_TABLES,
}

export type TableName = keyof typeof DECLARED
export type ColumnName<Name extends TableName> = keyof ColumnTexts<Name> & string
/** How the columns of a table are declared. */
export type ColumnTexts<Name extends TableName> = (typeof DECLARED)[Name]['columns']

export const TABLES: Readonly<Record<StoreKind, readonly Table[]>> = {
  sqlite: listOf('sqlite'),
  postgres: listOf('postgres'),
}

/** Throws if the store does not have the table. */
export function findTable(store: StoreKind, name: TableName): Table {
  const table = TABLES[store].find((each) => each.name === name)
  if (table === undefined) throw new Error(`${store} has no table ${name}`)
  return table
}

/** Throws if the table does not have the column. */
export function findColumn(store: StoreKind, name: TableName, column: string): Column {
  const found = findTable(store, name).columns.find((each) => each.name === column)
  if (found === undefined) throw new Error(`the table ${name} has no column ${column}`)
  return found
}

function listOf(store: StoreKind): readonly Table[] {
  return Object.entries<Declaration>(DECLARED).flatMap(([name, declaration]) =>
    (declaration.only ?? store) === store ? [tableOf(name, declaration, store)] : [],
  )
}
