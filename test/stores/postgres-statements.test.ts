/**
 * The rules that let one schema and one set of statements work on plain PostgreSQL and on Citus, where every table with
 * a bucket is distributed by it; and that no statement of the hot path ever scans a table.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import { allSql } from '../../src/stores/commands/statement/sql.ts'
import type { Connection } from '../../src/stores/postgres/connection/connection.ts'
import { DatabaseHosts } from '../../src/stores/postgres/connection/database-hosts.ts'
import { SHORT_WORK } from '../../src/stores/postgres/connection/lasting-connection.ts'
import { allStatements, rare, type SqlStatement } from '../../src/stores/postgres/connection/statement.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import { distribution } from '../../src/stores/postgres/partitions/distribute.ts'
import { findMessages } from '../../src/stores/postgres/requests/find-messages.ts'
import { statementOf } from '../../src/stores/postgres/session/run-command.ts'
import type { Value } from '../../src/stores/rows/cells/cell.ts'
import { openVault } from '../../src/stores/vault/open-vault.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { CITUS_PORT } from '../support/test-citus.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'

/** Tables that do not grow with traffic: on Citus every server has them in full. */
const WITHOUT_BUCKET = [
  'account',
  'account_hooks',
  'admin_request',
  'admin_token',
  'admin_user',
  'alarm',
  'alarm_rule',
  'api_key',
  'audit',
  'carrier',
  'carrier_check',
  'carrier_slot',
  'carrier_time',
  // It grows with the users of messengers, and is bounded.
  'carrier_user',
  'chat_template',
  'client_login',
  'cost',
  'demotion',
  'guard_settings',
  'inbound_number',
  'listed_number',
  'login_network',
  'login_place',
  'login_tally',
  'message_counter',
  'meta',
  'moving',
  'node',
  'notification',
  'notification_target',
  'one_time_token',
  'operators',
  'passkey',
  'pool',
  'price',
  'price_group',
  'price_group_member',
  // They grow with destinations, not with messages, and are bounded.
  'quality_count',
  'quality_rule',
  'rewind',
  'route',
  'schema_version',
  'sender',
  'stopped_hook',
  'traffic',
  'traffic_alarm',
]

for (const each of allSql()) statementOf(each)
const statements = [...allStatements()]
const PLAN_CACHE_MODE = rare<[mode: string]>(`SELECT current_setting('plan_cache_mode')`)
const inBuckets = statements.filter(({ kind }) => kind === 'bucket')
const lookUps = statements.filter(({ kind }) => kind === 'look-up')
/** Where one server has all buckets. */
const ofMany = statements.filter(({ kind }) => kind === 'many buckets')

/** About rows of messages that are named by their ids. */
const BY_IDS = /\bmsg_id = (ANY \(|new\.)|AS new \((bucket, )?msg_id\b/
const byIds = [...inBuckets, ...ofMany].filter(({ text }) => BY_IDS.test(text) && !text.startsWith('INSERT'))
const INDEX_SCAN = /Index (?:Only )?Scan (?:using|on) (\w+)/g

const postgres = await usePostgres()
let database: TestDatabase
let withBucket: readonly string[]

if (!postgres.isMissing) {
  beforeAll(async () => {
    database = await postgres.takeDatabase()
    await (await openPostgresStore({ url: database.url, keys: TEST_KEYS, clock: systemClock })).close()
    const tables = await database.query(`SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'bucket' ORDER BY 1`)
    withBucket = tables.map(({ name }) => String(name))
  })
}

describe.skipIf(postgres.isMissing)('tables', () => {
  it('have a bucket if they grow with traffic', async () => {
    const rows = await database.query(`SELECT relname AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`)
    const names = rows.map(({ name }) => String(name))
    expect(names.filter((name) => !withBucket.includes(name))).toEqual(WITHOUT_BUCKET)
    expect(withBucket).toContain('message')
  })

  it('begin their primary key with it, and have no unique index without it', async () => {
    const rows = await database.query(`
      SELECT pg_index.indrelid::regclass::text AS name, pg_get_indexdef(indexrelid, 1, true) AS first, indisprimary AS is_key,
        EXISTS (SELECT FROM pg_attribute WHERE attrelid = indexrelid AND attname = 'bucket') AS has_bucket
      FROM pg_index WHERE indisunique ORDER BY 1`)
    const unique = rows.filter(({ name }) => withBucket.includes(String(name)))
    expect(unique.filter(({ has_bucket }) => has_bucket !== true)).toEqual([])
    expect(unique.filter(({ is_key, first }) => is_key === true && first !== 'bucket')).toEqual([])
  })
})

describe.skipIf(postgres.isMissing)('on Citus', () => {
  it('distributes every table with a bucket, colocated with the leases', () => {
    const [setting, first, split, ...others] = distribution(withBucket)
    expect(setting).toMatch(/^SET citus\./)
    expect(first).toBe("SELECT create_distributed_table('lease', 'bucket', shard_count => 1, colocate_with => 'none')")
    expect(split).toMatch(/^SELECT citus_split_shard_by_split_points\(/)
    const beside = (table: string) => `SELECT create_distributed_table('${table}', 'bucket', colocate_with => 'lease')`
    expect(others).toEqual(withBucket.filter((table) => table !== 'lease').map(beside))
    expect(distribution([])).toEqual([])
    expect(distribution(['due']).slice(1)).toEqual([beside('due')])
  })

  it('the hashes of buckets are all different, so that each can have a shard', async () => {
    const [row] = await database.query(
      'SELECT count(DISTINCT hashint2(bucket::smallint))::int AS hashes FROM generate_series(0, 64) AS bucket',
    )
    expect(row).toEqual({ hashes: 65 })
  })

  it('no statement correlates distributed tables with others', () => {
    const correlated = statements.filter(({ text }) => {
      const names = [...text.matchAll(/\b(?:FROM|JOIN|UPDATE|USING|INTO) (\w+)\b/g)].map(([, name = '']) => name)
      const isMixed =
        names.some((name) => withBucket.includes(name)) && names.some((name) => WITHOUT_BUCKET.includes(name))
      return isMixed && /\b(EXISTS|LATERAL)\b/.test(text)
    })
    expect(correlated.map(({ text }) => text)).toEqual([])
  })

  it('subqueries select something', () => {
    const folder = new URL('../../src/stores/postgres/', import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    expect(files.filter((name) => readFileSync(new URL(name, folder), 'utf8').includes('SELECT FROM'))).toEqual([])
  })

  it('rows of every distributed table have an identity, so that shards can move', async () => {
    const wrong = await database.query(`
      SELECT relname AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relreplident <> 'f'
        AND EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'bucket')
        AND NOT EXISTS (SELECT 1 FROM pg_index WHERE indrelid = pg_class.oid AND indisprimary)`)
    expect(wrong).toEqual([])
    const made = await database.query(`SELECT 1 FROM pg_class WHERE relname ~ '^part_ref_w\\d+$'`)
    expect(made.length).toBeGreaterThan(0)
  })

  it('connections use custom plans, and elsewhere generic ones', async () => {
    const modeOf = async ({ url }: TestDatabase) => {
      const connection = await new DatabaseHosts(url).connect(SHORT_WORK)
      const [row] = await connection.query(PLAN_CACHE_MODE)
      await connection.end()
      return { mode: row?.[0], isSpread: connection.isSpread }
    }
    expect(await modeOf(database)).toEqual({ mode: 'force_generic_plan', isSpread: false })
    const other = await postgres.takeDatabase({ isNew: true })
    // How Citus is detected.
    await other.query('CREATE TABLE pg_dist_partition ()')
    expect(await modeOf(other)).toEqual({ mode: 'auto', isSpread: true })
  })

  it('only rare statements join distributed tables with others', () => {
    const mixed = [...inBuckets, ...lookUps].filter(({ text }) => {
      const names = [...text.matchAll(/\b(?:FROM|JOIN|UPDATE|USING|INTO) (\w+)\b/g)].map(([, name = '']) => name)
      return names.some((name) => withBucket.includes(name)) && names.some((name) => WITHOUT_BUCKET.includes(name))
    })
    expect(mixed.map(({ text }) => text)).toEqual([])
  })
})

describe.skipIf(postgres.isMissing)('statements', () => {
  it('are there', () => {
    expect(inBuckets.length).toBeGreaterThan(40)
    expect(lookUps.length).toBeGreaterThan(3)
  })

  it('name the bucket of every table that has one', () => {
    const wrong = inBuckets.filter(({ text }) => {
      const tables = [...text.matchAll(/\b(?:FROM|JOIN|UPDATE|USING) (\w+)\b/g)].filter(([, name = '']) => {
        return withBucket.includes(name)
      })
      const named = [...text.matchAll(/\bbucket = \$1/g)].length + [...text.matchAll(/USING \(bucket\b/g)].length
      return named === 0 || named < tables.length
    })
    expect(wrong.map(({ text }) => text)).toEqual([])
  })

  it('name the bucket of each row, if they are about rows of many', () => {
    expect(ofMany.length).toBeGreaterThan(20)
    const wrong = ofMany.filter(({ text }) => {
      return (
        /\bbucket = \$1/.test(text) ||
        !/unnest\(\$1::smallint\[\].*AS new \(bucket\b[\s\S]*\.bucket = new\.bucket/.test(text)
      )
    })
    expect(wrong.map(({ text }) => text)).toEqual([])
  })

  it('insert rows only where the node has its lease', () => {
    const guard = /FROM lease[\s\S]*WHERE lease\.bucket = (\$1|new\.bucket) AND lease\.node = \$2/
    const wrong = [...inBuckets, ...ofMany].filter(({ text }) => text.startsWith('INSERT') && !guard.test(text))
    expect(wrong.map(({ text }) => text)).toEqual([])
  })

  it('move no row to another bucket, and use no clock, randomness or sequence of another server', () => {
    const refused = /SET (\w+ = [^,]+, )*bucket = |\b(now|random|clock_timestamp|nextval|gen_random_uuid)\s*\(/
    expect([...inBuckets, ...ofMany].filter(({ text }) => refused.test(text)).map(({ text }) => text)).toEqual([])
  })

  it('that look up all buckets only read, and lock no row', () => {
    const wrong = lookUps.filter(
      ({ text }) => !text.startsWith('SELECT') || /\bFOR (NO KEY )?(UPDATE|SHARE)/.test(text),
    )
    expect(wrong.map(({ text }) => text)).toEqual([])
  })

  it('find their rows by an index, however large the tables', async () => {
    await useShortWork()
    const wrong: string[] = []
    for (const statement of [...inBuckets, ...ofMany, ...lookUps]) {
      const plan = await planOf(statement)
      if (withBucket.some((table) => plan.includes(`Seq Scan on ${table}`))) wrong.push(`${statement.text}\n${plan}`)
    }
    expect(wrong).toEqual([])
  })

  it('find rows by ids by their keys, even if they were planned while nothing waited', async () => {
    await useShortWork()
    await database.query(
      `INSERT INTO report (bucket, msg_id, number, account_id, address, body, created_at, state, node, tries, detail)
       SELECT n % 64, n, 1, 1, 'https://client.example/hook', '', 0, 'sent', 0, 1, '' FROM generate_series(1, 2000) AS n`,
    )
    await database.query('ANALYZE report, due')
    const rows = await database.query(
      `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indpred IS NOT NULL AND NOT indisunique
       AND starts_with(indrelid::regclass::text, 'report') OR indrelid = 'due'::regclass AND indpred IS NOT NULL`,
    )
    const ofWaiting = rows.map(({ name }) => String(name))
    expect(ofWaiting).toEqual(expect.arrayContaining(['due_waiting', 'report_waiting_first']))
    const wrong: string[] = []
    for (const statement of byIds) {
      const plan = await planOf(statement)
      const used = [...plan.matchAll(INDEX_SCAN)].map(([, name = '']) => name)
      if (used.some((name) => ofWaiting.includes(name))) wrong.push(`${statement.text}\n${plan}`)
    }
    expect(wrong).toEqual([])
  })

  it('are detected if they do not', async () => {
    const plan = await planOf({ text: 'SELECT 1 FROM message WHERE hook = $1' })
    expect(plan).toContain('Seq Scan on message')
  })
})

describe.skipIf(postgres.isMissing || CITUS_PORT !== null)('messages that share a client id', () => {
  const ACCOUNT = 65 as AccountId
  const SHARED = '"shared"'
  const RARE = '"rare"'
  const SHARING = 10_000
  /** Ids in the first and in the default partition. */
  const FIRST = 65
  const LATER = 2 ** 52 + 65
  /** What a few rows of each partition cost, and much less than all. */
  /** One look into the index for each way of writing a number, with up to ten zeros in front. */
  const FEW_BUFFERS = 80

  it('do not make an inquiry read all of them, however it was planned', async () => {
    const other = await postgres.takeDatabase()
    await (await openPostgresStore({ url: other.url, keys: TEST_KEYS, clock: systemClock })).close()
    await useShortWork(other)
    const insert = async (first: number, count: number, clientId: string, test: string) => {
      await other.query(
        `INSERT INTO message (bucket, msg_id, account_id, client_id, phone, plan, report_steps, currency, created_at,
           version, status, journey, test)
         SELECT 1, ${first} + 64 * n, ${ACCOUNT}, '${clientId}', '491701234567', repeat('p', 200), 0, 'EUR', 0,
           1, 'DELIVERED', repeat('j', 200), ${test} FROM generate_series(0, ${count - 1}) AS n`,
      )
    }
    const inquiries = [
      { clientId: SHARED, test: false, newest: LATER + 64 * (SHARING - 2) },
      { clientId: SHARED, test: true, newest: LATER + 64 * (SHARING - 1) },
      { clientId: RARE, test: false, newest: FIRST + 64 * SHARING },
      { clientId: RARE, test: true, newest: null },
      { clientId: '"unknown"', test: false, newest: null },
      { clientId: '12', test: false, newest: null },
    ]
    const wrong: object[] = []
    const ask = async (when: string) => {
      for (const { newest, ...name } of inquiries) {
        const { text, call } = await inquiryOf(ACCOUNT, name)
        const isKnown = await other.query(`SELECT 1 FROM pg_prepared_statements WHERE name = 'inquiry'`)
        if (isKnown.length === 0) await other.query(`PREPARE inquiry AS ${text}`)
        const rows = await other.query(call)
        const [explained] = await other.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${call}`)
        const buffers = buffersOf(explained?.['QUERY PLAN'])
        const found = rows.map(({ msg_id }) => Number(msg_id))
        const expected = newest === null || when === 'empty' ? [] : [newest]
        if (buffers > FEW_BUFFERS || String(found) !== String(expected)) wrong.push({ when, ...name, found, buffers })
      }
    }
    await ask('empty')
    await insert(FIRST, SHARING, SHARED, '0')
    await insert(FIRST + 64 * SHARING, 1, RARE, '0')
    await insert(LATER, SHARING, SHARED, `CASE WHEN n = ${SHARING - 1} THEN 1 ELSE 0 END`)
    await ask('planned while the table was empty')
    await other.query('DISCARD PLANS')
    await ask('before ANALYZE')
    await other.query('ANALYZE message')
    await ask('after ANALYZE')
    await other.query('SET plan_cache_mode = force_custom_plan')
    await ask('with custom plans')
    expect(wrong).toEqual([])
  })
})

/** Returns the statement of an inquiry, and its execution once it is prepared as `inquiry`. */
async function inquiryOf(accountId: AccountId, name: { readonly clientId: string; readonly test: boolean }) {
  const sent: [statement: SqlStatement, values: readonly Value[]][] = []
  const query = async (statement: SqlStatement, ...values: readonly Value[]) => {
    sent.push([statement, values])
    return []
  }
  const connection = { query } as unknown as Connection
  await findMessages({ connection, vault: openVault(TEST_KEYS) }, accountId, [{ messageId: null, ...name }])
  const [[{ text }, values] = [{ text: '' }, []]] = sent
  const literals = values.map((value) => (Array.isArray(value) ? `'${arrayOf(value)}'` : value))
  return { text, call: `EXECUTE inquiry (${literals.join(', ')})` }
}

function arrayOf(values: readonly unknown[]): string {
  return `{${values.map((value) => JSON.stringify(String(value))).join(',')}}`
}

function buffersOf(explained: unknown): number {
  const [{ Plan: plan }] = explained as [{ Plan: Readonly<Record<string, number>> }]
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
}

async function useShortWork(on = database): Promise<void> {
  for (const [name, value] of Object.entries(SHORT_WORK)) await on.query(`SET ${name} = '${value}'`)
}

async function planOf({ text }: Pick<SqlStatement, 'text'>): Promise<string> {
  const rows = await database.query(`EXPLAIN (GENERIC_PLAN, COSTS OFF) ${text}`)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
