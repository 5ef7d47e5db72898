/** Claims from the queues of SQLite read as many index entries for a tenant with a million messages as for one. */
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { findQueued } from '../../src/stores/sqlite/find-queued.ts'
import { adoptDatabase } from '../../src/stores/sqlite/open-database.ts'

test('a claim passes over the messages of a tenant by all columns of the index', () => {
  const database = new DatabaseSync(':memory:')
  adoptDatabase(database, 'tool')
  const statements: string[] = []
  const prepare = database.prepare.bind(database)
  database.prepare = (sql) => {
    statements.push(sql)
    return prepare(sql)
  }
  findQueued({ database })
  const plans = statements.flatMap((sql) =>
    prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map((row) => row['detail']),
  )
  // With two columns, SQLite reads the entries of the last tenant one by one to find the next.
  expect(plans).toEqual([
    'SEARCH due USING COVERING INDEX due_queued ((channel,tenant,due_at)>(?,?,?))',
    'SEARCH due USING COVERING INDEX due_queued (channel=? AND tenant=?)',
  ])
  database.close()
})
