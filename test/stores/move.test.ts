/** What is declared of tables is compared with the catalogs of both databases, and with what a move copies. */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, test } from 'vitest'
import { CROSSINGS, readingOf } from '../../src/stores/move/crossings.ts'
import { migrateDatabase } from '../../src/stores/postgres/open-store.ts'
import { adoptDatabase } from '../../src/stores/sqlite/session/open-database.ts'
import { findTable, TABLES } from '../../src/stores/tables/all-tables.ts'
import type { StoreKind } from '../../src/stores/tables/declaration.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { usePostgres } from '../support/use-postgres.ts'

const postgres = await usePostgres()

describe('the declared tables', () => {
  it('are those of a SQLite file, with their columns in order', () => {
    expect(declaredIn('sqlite')).toEqual(sqliteColumns())
  })

  it.skipIf(postgres.isMissing)('are those of PostgreSQL, with their columns in order', async () => {
    const database = await postgres.takeDatabase({ isNew: true })
    await migrateDatabase(database.url, false)
    expect(declaredIn('postgres')).toEqual(await postgresColumns(database))
  })
})

describe('a move', () => {
  it('copies every table but those that say how one database is operated', () => {
    const crossing: readonly string[] = CROSSINGS.map(({ table }) => table)
    const others = (store: StoreKind) =>
      TABLES[store].map(({ name }) => name).filter((name) => !crossing.includes(name))
    // Statistics that are not summed up yet are summed up before.
    expect(others('sqlite')).toEqual(['moving', 'message_count'])
    expect(others('postgres')).toEqual([
      'message_counter',
      'node',
      'lease',
      'carrier_slot',
      'login_place',
      'moving',
      'rewind',
    ])
  })

  it('copies a table after those that it refers to', () => {
    const order: readonly string[] = CROSSINGS.map(({ table }) => table)
    const early = CROSSINGS.flatMap(({ table }, place) =>
      findTable('sqlite', table).columns.flatMap(({ references }) =>
        references !== null && order.indexOf(references) >= place ? [`${table} before ${references}`] : [],
      ),
    )
    expect(early).toEqual([])
  })

  test.each<[StoreKind, StoreKind, readonly string[]]>([
    ['sqlite', 'postgres', ['stopped_hook.hash']],
    ['postgres', 'sqlite', ['meta.node', 'meta.next_counter', 'message.contents']],
  ])('from %s to %s copies every column but those that the target fills itself', (source, target, filled) => {
    const left = CROSSINGS.flatMap((crossing) => {
      const read = readingOf(crossing, source).map(([column]) => column)
      const columns = findTable(target, crossing.table).columns.map(({ name }) => name)
      return columns
        .filter((column) => column !== 'bucket' && !read.includes(column))
        .map((column) => `${crossing.table}.${column}`)
    })
    expect(left).toEqual(filled)
  })
})

function declaredIn(store: StoreKind): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(TABLES[store].map(({ name, columns }) => [name, columns.map((column) => column.name)]))
}

function sqliteColumns(): Readonly<Record<string, readonly string[]>> {
  const database = new DatabaseSync(':memory:')
  adoptDatabase(database, 'tool')
  const rows = database
    .prepare(
      `SELECT m.name AS "table", c.name AS "column" FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`,
    )
    .all()
  database.close()
  return byTable(rows)
}

async function postgresColumns(database: TestDatabase): Promise<Readonly<Record<string, readonly string[]>>> {
  return byTable(
    await database.query(`SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name <> 'schema_version' AND NOT (SELECT relispartition FROM pg_class WHERE oid = table_name::regclass)
      ORDER BY ordinal_position`),
  )
}

function byTable(rows: readonly Record<string, unknown>[]): Readonly<Record<string, readonly string[]>> {
  const tables: Record<string, string[]> = {}
  for (const { table, column } of rows) tables[String(table)] = [...(tables[String(table)] ?? []), String(column)]
  return tables
}
