/**
 * Databases on one server, each fresh when it is handed out. Emptying one that was used is ten times faster than a new
 * one.
 */
import { randomInt } from 'node:crypto'
import pg from 'pg'
import { BUCKETS } from '../../src/domain/ids/message-id.ts'
import { migrateDatabase } from '../../src/stores/postgres/open-store.ts'
import { TABLES } from '../../src/stores/tables/all-tables.ts'
import type { ReachedPostgres } from './postgres-server.ts'
import { CITUS_PORT, makeCitusDatabase } from './test-citus.ts'

export interface TestDatabase {
  readonly name: string
  readonly url: string
  query(sql: string): Promise<Record<string, unknown>[]>
  /** Returns the database for other tests; close all connections first. */
  giveBack(): Promise<void>
}

interface Kept {
  readonly name: string
  readonly client: pg.Client
}

export class PostgresDatabases {
  readonly #server: ReachedPostgres
  readonly #kept: Kept[] = []
  readonly #free: Kept[] = []

  constructor(server: ReachedPostgres) {
    this.#server = server
  }

  /** `isNew`: the database has no tables yet. */
  async take({ isNew = false } = {}): Promise<TestDatabase> {
    const kept = (isNew ? undefined : this.#free.pop()) ?? (await this.#make(isNew))
    const { name, client } = kept
    return {
      name,
      url: this.#server.urlOf(name),
      query: async (sql) => (await client.query(sql)).rows as Record<string, unknown>[],
      giveBack: async () => {
        if (isNew) return
        await empty(client)
        this.#free.push(kept)
      },
    }
  }

  async close(): Promise<void> {
    // Some have lost their server.
    await Promise.allSettled(this.#kept.map(({ client }) => client.end()))
  }

  async #make(isNew: boolean): Promise<Kept> {
    // Other processes may have databases on the same server.
    const name = `test_${randomInt(2 ** 40)}`
    if (CITUS_PORT === null) await this.#server.query('postgres', `CREATE DATABASE ${name}`)
    else await makeCitusDatabase(name)
    const client = new pg.Client({ connectionString: this.#server.urlOf(name) })
    // A test may take the server away.
    client.on('error', () => {})
    await client.connect()
    const kept = { name, client }
    this.#kept.push(kept)
    if (isNew) return kept
    if (CITUS_PORT === null) await migrateDatabase(this.#server.urlOf(name), false)
    await client.query(PAIR_ACCOUNTS)
    return kept
  }
}

/**
 * Gives accounts the ids 1, 64001, 3, 64003 …: two of them share a bucket, as in installations of more than 64
 * accounts, so that a statement that finds rows by what is unique only within an account mixes them. Ids that a test
 * gives stay.
 */
const PAIR_ACCOUNTS = `
CREATE FUNCTION pair_accounts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.account_id % 2 = 0 AND EXISTS (SELECT FROM account_account_id_seq WHERE last_value = NEW.account_id AND is_called)
  THEN NEW.account_id := NEW.account_id - 1 + 1000 * ${BUCKETS}; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER pair_accounts BEFORE INSERT ON account FOR EACH ROW EXECUTE FUNCTION pair_accounts();`

/** As the migrations have left it. */
async function empty(client: pg.Client): Promise<void> {
  const tables = await client.query<{ name: string }>(
    `SELECT format('%I', relname) AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'schema_version'`,
  )
  const names = tables.rows.map(({ name }) => name)
  const deletes = names.map((name) => `DELETE FROM ${name};`)
  // Deleting is faster by far, but the workers of a cluster would not know that triggers are off.
  const emptied =
    CITUS_PORT === null
      ? ['SET session_replication_role = replica;', ...deletes].join('\n')
      : `TRUNCATE ${names.join(', ')};`
  await client.query(`
    ${emptied}
    ${TABLES.postgres.flatMap(({ name, row }) => (row === undefined ? [] : [`INSERT INTO ${name} VALUES (${row});`])).join('\n')}
    SELECT setval(format('%I', sequencename)::regclass, start_value, false) FROM pg_sequences WHERE schemaname = 'public';`)
}
