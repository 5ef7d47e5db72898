/**
 * A Citus cluster on loopback on which tests keep their databases instead of on a server of their own:
 * `POSTHORN_TEST_CITUS=9700,9701,9702` names the ports of the coordinator and its workers, where the superuser
 * `posthorn` is trusted. Databases are left behind.
 */
import { migrateDatabase } from '../../src/stores/postgres/open-store.ts'
import { reachPostgres } from './postgres-server.ts'

const PORTS = (process.env['POSTHORN_TEST_CITUS'] ?? '').split(',').filter(Boolean).map(Number)

/** The port of the coordinator; null when the tests run on plain PostgreSQL. */
export const CITUS_PORT = PORTS[0] ?? null

/** A new database on every server of the cluster, with Posthorn's tables spread over the workers. */
export async function makeCitusDatabase(name: string): Promise<void> {
  for (const port of PORTS) {
    const { query } = reachPostgres(port)
    await query('template1', `CREATE DATABASE ${name}`)
    await query(name, 'CREATE EXTENSION citus')
  }
  const [coordinator = 0, ...workers] = PORTS
  const { query, urlOf } = reachPostgres(coordinator)
  await query(name, `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator})`)
  for (const worker of workers) await query(name, `SELECT citus_add_node('127.0.0.1', ${worker})`)
  await migrateDatabase(urlOf(name), true)
}
