/** What a PostgreSQL server has done, as it counts it by itself: pg_stat_statements and the position of its log. */
import type { PostgresServer } from '../test/support/postgres-server.ts'

export type ServerWork = Readonly<Record<string, number>>

export async function readServerWork(server: PostgresServer): Promise<ServerWork> {
  await server.query('bench', 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
  const [row = {}] = await server.query(
    'bench',
    `SELECT sum(rows)::float AS rows, (pg_current_wal_insert_lsn() - '0/0')::float AS "WAL bytes"
     FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%'`,
  )
  return row as ServerWork
}

export function subtractServerWork(after: ServerWork, before: ServerWork): ServerWork {
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]))
}
