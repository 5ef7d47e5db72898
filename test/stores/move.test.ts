/** The list of moved tables is compared with the catalogs of both databases: nothing is missing. */
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { CROSSINGS, readingOf, STAYING } from '../../src/stores/move/crossings.ts'
import { migrateDatabase } from '../../src/stores/postgres/open-store.ts'
import { adoptDatabase } from '../../src/stores/sqlite/session/open-database.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { usePostgres } from '../support/use-postgres.ts'

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing)('the list of moved tables', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await postgres.takeDatabase({ isNew: true })
    await migrateDatabase(database.url, false)
  })

  it('has every table of both databases, and no other', async () => {
    const crossing = CROSSINGS.map(({ table }) => table)
    expect([...new Set(crossing)]).toEqual(crossing)
    const [sqlite, other] = [sqliteColumns(), await postgresColumns(database)]
    expect(Object.keys(sqlite).sort()).toEqual([...crossing, ...STAYING.sqlite].sort())
    expect(Object.keys(other).sort()).toEqual([...crossing, ...STAYING.postgres].sort())
  })

  it('has a source for every column, and the bucket of every table that has one', async () => {
    const [sqlite, other] = [sqliteColumns(), await postgresColumns(database)]
    for (const crossing of CROSSINGS) {
      const [here = [], there = []] = [sqlite[crossing.table], other[crossing.table]]
      expect(there.includes('bucket'), crossing.table).toBe(crossing.bucket !== null)
      const names = (reading: readonly (readonly [string, string])[]) => reading.map(([column]) => column).sort()
      const { apart = [], fromSqlite = {}, fromPostgres = {} } = crossing
      const shared = there.filter((column) => column !== 'bucket' && !apart.includes(column)).sort()
      expect(names(readingOf(crossing, fromSqlite, here, there))).toEqual(shared)
      expect(names(readingOf(crossing, fromPostgres, there, here))).toEqual(
        here.filter((column) => !apart.includes(column)).sort(),
      )
      const leftBehind = here.filter((column) => !there.includes(column) && !apart.includes(column))
      expect(leftBehind, crossing.table).toEqual([])
      const onlyThere = there.filter((column) => !here.includes(column) && column !== 'bucket')
      // Counted and computed by that database itself.
      const own: Readonly<Record<string, readonly string[]>> = { account_balance: ['postings'], stopped_hook: ['hash'] }
      expect(onlyThere, crossing.table).toEqual(own[crossing.table] ?? [])
    }
  })
})

function sqliteColumns(): Readonly<Record<string, readonly string[]>> {
  const database = new DatabaseSync(':memory:')
  adoptDatabase(database, 'tool')
  const rows = database
    .prepare(
      `SELECT m.name AS "table", c.name AS "column" FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table'`,
    )
    .all()
  database.close()
  return byTable(rows)
}

async function postgresColumns(database: TestDatabase): Promise<Readonly<Record<string, readonly string[]>>> {
  return byTable(
    await database.query(`SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
      WHERE table_schema = 'public' AND NOT (SELECT relispartition FROM pg_class WHERE oid = table_name::regclass)
      ORDER BY ordinal_position`),
  )
}

function byTable(rows: readonly Record<string, unknown>[]): Readonly<Record<string, readonly string[]>> {
  const tables: Record<string, string[]> = {}
  for (const { table, column } of rows) tables[String(table)] = [...(tables[String(table)] ?? []), String(column)]
  return tables
}
