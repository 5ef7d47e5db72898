/**
 * Makes an installation with many messages behind it: ten million of 30 days, 10,000 accounts. What a store of the same
 * traffic would hold is written by SQL (grown-rows.ts); all else is written by the store. `grown-reads.ts` and
 * `grown-rates.ts` measure it.
 *
 *     node bench/grown.ts <folder> [messages] [accounts] [--database=postgres://…]
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { createInstallation, openInstallation } from '../src/app/installation/installation.ts'
import { readConfig } from '../src/app/settings/config.ts'
import { systemClock } from '../src/app/system/system-clock.ts'
import { systemRandom } from '../src/app/system/system-random.ts'
import { makeKey } from '../src/operations/request/api-key.ts'
import type { Store } from '../src/ports/stores/store.ts'
import { openPostgresStore } from '../src/stores/postgres/open-store.ts'
import { firstCounterAt } from '../src/stores/postgres/partitions/partitions.ts'
import { BEGINNING } from '../test/support/build-message.ts'
import { TEST_CARRIER } from '../test/support/make-turn.ts'
import { addAccounts, addModels, KINDS } from './grown-models.ts'
import { type GrownDatabase, growRows } from './grown-rows.ts'

const [folder = '', ...numbers] = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const [messages = 10_000_000, accounts = 10_000] = numbers.map(Number)
const url = process.argv.find((word) => word.startsWith('--database='))?.slice('--database='.length)
const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
const UNTIL = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
const FROM = UNTIL - 30 * 24 * HOUR_MS
const COUNTERS_A_WEEK = firstCounterAt(FROM + WEEK_MS) - firstCounterAt(FROM)
const FIRST_WEEK = Date.UTC(2026, 0, 1)

async function make(): Promise<void> {
  const flags = { 'data-dir': folder, ...(url === undefined ? {} : { database: url }) }
  const config = readConfig(flags, {})
  await createInstallation(config)
  if (url !== undefined) await beginPartitions(url, join(folder, 'secret.key'))
  const store = await openInstallation(config, { role: 'tool' })
  const models = await addModels(store)
  const keys = Array.from({ length: accounts }, () => makeKey('live', systemRandom))
  const ids = await addAccounts(store, keys)
  const [firstAccount = 0] = ids
  if (ids.at(-1) !== firstAccount + accounts - 1) throw new Error('the ids of the accounts have gaps')
  await addInbound(store)
  // The ids of the models.
  await store.reserveIds(KINDS + 1)
  // On SQLite, counts are rows of the statistics once they were read.
  await store.messageTotals({
    ...{ from: 0, through: UNTIL / HOUR_MS, source: 'hours', slotHours: null, accountId: null },
    ...{ only: {}, by: [], limit: 1 },
  })
  await store.close()
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ firstAccount, keys }))
  const database = url === undefined ? onSqlite(join(folder, 'posthorn.db')) : await onPostgres(url)
  const startedAt = performance.now()
  const say = (line: string) => console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0)} s: ${line}`)
  const counter =
    url === undefined ? `(${KINDS + 2} + i)` : `((at - ${FIRST_WEEK}) / ${WEEK_MS} * ${COUNTERS_A_WEEK} + i)`
  await growRows(
    database,
    {
      ...{ models, firstAccount, accounts, messages, from: FROM, until: UNTIL, modelAt: BEGINNING, counter },
      modelCarrier: TEST_CARRIER,
    },
    (day) => say(`day ${day}`),
  )
  say('other tables')
  await database.run(
    url === undefined
      ? `UPDATE meta SET next_counter = ${KINDS + 2 + messages}`
      : `UPDATE message_counter SET next = ${firstCounterAt(UNTIL) + messages}`,
  )
  await database.run(manyInbound(database))
  await database.run(manyAudited(database))
  await database.run(url === undefined ? 'ANALYZE' : 'VACUUM ANALYZE')
  await database.end()
  say('done')
}

async function addInbound(store: Store): Promise<void> {
  const arrival = { carrierId: TEST_CARRIER, sender: '4915120000000', recipient: '1234', text: 'Yes, please.' }
  await store.recordInbound([{ ...arrival, at: BEGINNING, part: null, key: 'first', keyUntil: BEGINNING }], [])
}

function manyInbound({ isPostgres, numbers }: GrownDatabase): string {
  const [bucket, of] = isPostgres ? ['bucket, ', 'bucket, '] : ['', '']
  return `INSERT INTO inbound_message (${bucket}carrier_id, sender, recipient, text, at)
    SELECT ${of}carrier_id, '49151' || (20000000 + i * 7919 % 9999991), recipient, text, ${FROM} + i * 2000
    FROM inbound_message CROSS JOIN (${numbers(0, 999_999)}) AS numbers`
}

function manyAudited({ numbers }: GrownDatabase): string {
  return `INSERT INTO audit (at, actor, via, action, subject, before, after)
    SELECT ${FROM} + i * 2000, CASE i % 1000 WHEN 0 THEN 'rare' ELSE 'owner' END, 'api', 'set sender',
      'sender ' || (i % 10000), 'null', '{"name":"Posthorn","channel":"sms"}'
    FROM (${numbers(0, 999_999)}) AS numbers`
}

interface OpenDatabase extends GrownDatabase {
  end(): Promise<void>
}

function onSqlite(file: string): OpenDatabase {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000')
  return {
    isPostgres: false,
    columnsOf: async (table) => {
      const rows = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all()
      return rows.map((row) => String(row['name']))
    },
    run: async (sql) => database.exec(`BEGIN; ${sql}; COMMIT`),
    numbers: (from, through) =>
      `WITH RECURSIVE g (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM g WHERE i < ${through}) SELECT i FROM g`,
    end: async () => {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
    },
  }
}

async function onPostgres(address: string): Promise<OpenDatabase> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query("SET work_mem = '256MB'; SET synchronous_commit = off")
  return {
    isPostgres: true,
    columnsOf: async (table) => {
      const { rows } = await client.query(
        `SELECT attname AS name FROM pg_attribute
         WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped AND attidentity = ''`,
      )
      return rows.map(({ name }) => String(name))
    },
    run: async (sql) => {
      await client.query(sql)
    },
    numbers: (from, through) => `SELECT i FROM generate_series(${from}::bigint, ${through}) AS g (i)`,
    end: () => client.end(),
  }
}

/** A new database has no partitions of the past: makes those of each week, as the gateway would have. */
async function beginPartitions(address: string, path: string): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const first = Math.floor((FROM - FIRST_WEEK) / WEEK_MS / 8) * 8 * COUNTERS_A_WEEK * 64
  for (const table of ['message', 'message_text', 'event', 'report', 'part_ref']) {
    await client.query(`ALTER TABLE ${table} DETACH PARTITION ${table}_first;
      ALTER TABLE ${table} ATTACH PARTITION ${table}_first FOR VALUES FROM (MINVALUE) TO (${first})`)
  }
  await client.end()
  for (let at = FIRST_WEEK; at < UNTIL + WEEK_MS; at += WEEK_MS) {
    if (at < FROM - 9 * WEEK_MS) continue
    const clock = { ...systemClock, now: () => at }
    await (await openPostgresStore({ url: address, keys: { kind: 'file', path }, clock })).close()
  }
}

await make()
