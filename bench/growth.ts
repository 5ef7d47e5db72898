/**
 * What a store costs once it has grown: the same work on a database with 400 days of messages behind it and on a young
 * one, a round of each in turn, so that both meet the same machine. What is kept for less than that is there for as
 * long as it is kept by default: texts 90 days, reports and carriers' ids 30.
 *
 *     node bench/growth.ts [messages behind the old one] [rounds] [messages of a round] [--postgres]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../src/app/system/system-clock.ts'
import { DAY_MS } from '../src/domain/accounts/retention.ts'
import type { AccountId } from '../src/domain/ids/account-id.ts'
import { BUCKETS, makeMessageId } from '../src/domain/ids/message-id.ts'
import type { Message } from '../src/domain/message/message.ts'
import type { Phone } from '../src/domain/numbers/phone.ts'
import type { Store } from '../src/ports/stores/store.ts'
import { openPostgresStore } from '../src/stores/postgres/open-store.ts'
import { firstCounterAt } from '../src/stores/postgres/partitions/partitions.ts'
import { openSqliteStore } from '../src/stores/sqlite/open-store.ts'
import { buildMessage } from '../test/support/build-message.ts'
import { type PostgresServer, startPostgres } from '../test/support/postgres-server.ts'
import { TEST_KEYS } from '../test/support/test-keys.ts'
import { accept, deliver, inWindow, openAccounts } from './lives.ts'

const [behind = 1_000_000, rounds = 8, livesPerRound = 3_000] = process.argv
  .slice(2)
  .filter((word) => !word.startsWith('--'))
  .map(Number)
const SEARCHES_A_ROUND = 100
const WINDOW = 200
const ACCOUNTS = 10
const WEEK_MS = 7 * DAY_MS
const WEEKS = Math.ceil(400 / 7)
/** Far enough ahead that no partition was made for all that came before. */
const BEGINNING_OF_HISTORY = Date.UTC(2030, 0, 3)

const TEXT_WEEKS = 13

/** How long tables have what they have, in weeks. */
const KEPT_WEEKS: Readonly<Record<string, number>> = {
  message: WEEKS,
  event: WEEKS,
  posting: WEEKS,
  message_text: TEXT_WEEKS,
  report: 5,
  part_ref: 5,
}

interface Grown {
  readonly name: 'young' | 'old'
  readonly store: Store
  readonly accounts: readonly AccountId[]
  /** Where its counters go on. */
  next: number
  /** Of the round that is under way. */
  accepted: readonly Message[]
}

interface Database {
  open(now: () => number): Promise<Store>
  columnsOf(table: string): Promise<readonly string[]>
  /** Rows numbered `i`, from and through. */
  numbers(from: number, through: number): string
  run(sql: string): Promise<void>
  /** What is written for an id of a posting. */
  readonly postingId: string
}

const folder = mkdtempSync(join(tmpdir(), 'posthorn-bench-'))
const server = process.argv.includes('--postgres') ? await startPostgres({ durable: true }) : null
async function compare(): Promise<void> {
  const young = await grow('young', 0)
  const startedAt = performance.now()
  const old = await grow('old', behind)
  console.log(`${behind} messages behind the old one, in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
  const works = { accept: acceptRound, deliver: deliverRound, search: searchRound, trace: traceRound }
  const took: Record<string, { young: number[]; old: number[] }> = {}
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, work] of Object.entries(works)) {
      for (const each of round % 2 === 0 ? [young, old] : [old, young]) {
        const begunAt = performance.now()
        const count = await work(each)
        // The first round warms up.
        if (round === 0) continue
        took[name] ??= { young: [], old: [] }
        took[name][each.name].push(((performance.now() - begunAt) * 1_000) / count)
      }
    }
  }
  for (const [name, { young, old }] of Object.entries(took)) {
    const ratio = median(old.map((micros, index) => micros / (young[index] ?? micros)))
    console.log(
      `${name}: ${median(young).toFixed(0)} µs each on the young one, ${median(old).toFixed(0)} on the old: ${ratio.toFixed(2)} times`,
    )
  }
  await Promise.all([young.store.close(), old.store.close()])
}

async function acceptRound(grown: Grown): Promise<number> {
  const first = grown.next
  grown.next += livesPerRound
  const messages = Array.from({ length: livesPerRound }, (_, index) => messageOf(grown, first + index))
  await inWindow(WINDOW, 0, livesPerRound, (n) => accept(grown.store, messages[n] as Message))
  grown.accepted = messages
  return livesPerRound
}

async function deliverRound(grown: Grown): Promise<number> {
  const own = grown.accepted
  await inWindow(WINDOW, 0, own.length, (n) => deliver(grown.store, own[n] as Message))
  return own.length
}

async function searchRound({ store, next }: Grown): Promise<number> {
  for (let n = 0; n < SEARCHES_A_ROUND; n += 1) {
    const phone = phoneOf(n + next)
    await store.page({ of: 'messages', accountId: null, phone, status: null, after: null, limit: 50 })
  }
  return SEARCHES_A_ROUND
}

async function traceRound(grown: Grown): Promise<number> {
  const own = grown.accepted
  for (const { id } of own.slice(0, SEARCHES_A_ROUND)) await grown.store.trace(id)
  return SEARCHES_A_ROUND
}

function messageOf({ accounts }: Grown, counter: number): Message {
  const accountId = accounts[counter % ACCOUNTS] as AccountId
  return buildMessage({ counter, accountId, phone: phoneOf(counter) })
}

function phoneOf(n: number): Phone {
  return `371${20_000_000 + (((n % 1_000_003) * 7_919) % 999_983)}` as Phone
}

async function grow(name: Grown['name'], count: number): Promise<Grown> {
  const database = server === null ? onSqlite(name) : await onPostgres(server, name)
  let now = BEGINNING_OF_HISTORY
  const clock = () => now
  let store = await database.open(clock)
  const accounts = await openAccounts(store, ACCOUNTS)
  const models: Message[] = []
  for (const accountId of accounts) {
    const model = buildMessage({ counter: accountId, accountId })
    await accept(store, model)
    await deliver(store, model)
    models.push(model)
  }
  await store.close()
  const columns = new Map<string, readonly string[]>()
  for (const table of Object.keys(KEPT_WEEKS)) columns.set(table, await database.columnsOf(table))
  const perModel = Math.ceil(count / WEEKS / ACCOUNTS)
  for (let week = 0; perModel > 0 && week < WEEKS; week += 1) {
    now = BEGINNING_OF_HISTORY + week * WEEK_MS
    // PostgreSQL makes the partitions of its time when it opens.
    if (server !== null) await (await database.open(clock)).close()
    const first = firstCounterAt(now) + 1
    const copies = models.flatMap((model) => copiesOf(database, columns, model, first, perModel, WEEKS - week))
    await database.run(copies.join(';'))
  }
  await database.run('ANALYZE')
  now = BEGINNING_OF_HISTORY + WEEKS * WEEK_MS
  store = await database.open(clock)
  // Drops what was never written into.
  await store.sweep(now, { settledKeptDays: null, inboundKeptDays: null })
  return { name, store, accounts, next: firstCounterAt(now) + 1, accepted: [] }
}

/** Statements that write what there is of the model so many times over, where it is still kept after so many weeks. */
function copiesOf(
  database: Database,
  columns: ReadonlyMap<string, readonly string[]>,
  model: Message,
  first: number,
  count: number,
  age: number,
): readonly string[] {
  const id = `(${makeMessageId(first, model.accountId)} + i * ${BUCKETS})`
  const cells: Readonly<Record<string, string>> = {
    msg_id: id,
    phone: `'371' || (20000000 + (${id} / 64 % 1000003) * 7919 % 999983)`,
    ref: `'ref-' || (${id} % 1000003 * 7919 % 1000003) || '-' || ${id}`,
    posting_id: database.postingId.replace('id', id),
  }
  return Object.entries(KEPT_WEEKS).flatMap(([table, weeks]) => {
    if (age > weeks) return []
    const names = columns.get(table) ?? []
    const kept = age > TEXT_WEEKS ? { ...cells, contents: 'NULL' } : cells
    const read = names.map((name) => kept[name] ?? `model.${name}`)
    return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${read.join(', ')}
      FROM ${table} AS model CROSS JOIN (${database.numbers(0, count - 1)}) AS numbers WHERE model.msg_id = ${model.id}`
  })
}

function onSqlite(name: string): Database {
  const file = join(folder, `${name}.db`)
  const withFile = async <Answer>(work: (database: DatabaseSync) => Answer): Promise<Answer> => {
    const database = new DatabaseSync(file)
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
  return {
    open: () => openSqliteStore({ file, keys: TEST_KEYS }),
    columnsOf: (table) => {
      return withFile((database) =>
        database
          .prepare(`SELECT name FROM pragma_table_info('${table}')`)
          .all()
          .map((row) => String(row['name'])),
      )
    },
    numbers: (from, through) =>
      `WITH RECURSIVE g (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM g WHERE i < ${through}) SELECT i FROM g`,
    run: (sql) => withFile((database) => database.exec(`BEGIN; ${sql}; COMMIT`)),
    postingId: 'NULL',
  }
}

async function onPostgres(server: PostgresServer, name: string): Promise<Database> {
  await server.query('postgres', `CREATE DATABASE ${name}`)
  return {
    open: (now) => openPostgresStore({ url: server.urlOf(name), keys: TEST_KEYS, clock: { ...systemClock, now } }),
    columnsOf: async (table) => {
      const rows = await server.query(
        name,
        `SELECT attname AS name FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped`,
      )
      return rows.map((row) => String(row['name']))
    },
    numbers: (from, through) => `SELECT i FROM generate_series(${from}::bigint, ${through}) AS g (i)`,
    run: async (sql) => void (await server.query(name, sql)),
    postingId: 'id * 2 + model.posting_id % 2',
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0
}

try {
  await compare()
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true })
}
