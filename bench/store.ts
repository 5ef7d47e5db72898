/**
 * How many lives of a message the embedded store records in a second: accepted and paid, taken by a carrier, its receipt
 * matched, delivered with a report, the report sent. Five calls each, every one on disk before the next. Compared with
 * the least that any store on SQLite has to do: as many transactions, each with the bare rows of the accepted messages.
 *
 *     node bench/store.ts [lives] [lives under way at a time] [--inline]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AccountId } from '../src/domain/account.ts'
import { advance, type Turn } from '../src/domain/journey.ts'
import type { Message } from '../src/domain/message.ts'
import { toMicros } from '../src/domain/money.ts'
import type { Store } from '../src/ports/store.ts'
import { openSqliteStore } from '../src/stores/sqlite/open-store.ts'
import { BEGINNING, buildAccount, buildMessage } from '../test/support/build-message.ts'
import { PlainVault } from '../test/support/plain-vault.ts'

const numbers = process.argv.slice(2).map(Number).filter(Number.isFinite)
const [lives = 60_000, window = 400] = numbers
const inline = process.argv.includes('--inline')
const folder = mkdtempSync(join(tmpdir(), 'posthorn-bench-'))

try {
  const bare = measureBareRows()
  const full = await measureLives()
  console.log(`bare rows, the same transactions: ${bare.toFixed(0)}/s`)
  console.log(`whole lives: ${full.toFixed(0)}/s, ${(full / bare).toFixed(2)} of bare`)
} finally {
  rmSync(folder, { recursive: true })
}

async function measureLives(): Promise<number> {
  const file = join(folder, 'posthorn.db')
  const store = await openSqliteStore({ file, vault: new PlainVault(), inline })
  const accounts = await openAccounts(store, 10)
  await run(store, accounts, 1, 2_000)
  const { commits, commands } = { ...store.work }
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  await run(store, accounts, 2_001, lives)
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - startedAt) / 1_000
  const perCommit = (store.work.commands - commands) / (store.work.commits - commits)
  console.log(`${lives} lives, ${window} under way at a time, ${inline ? 'inline' : 'worker'}`)
  console.log(
    `${perCommit.toFixed(0)} calls a commit, ${((store.work.commits - commits) / seconds).toFixed(0)} commits/s`,
  )
  console.log(`${((user + system) / lives).toFixed(0)} µs of CPU a life, all threads, the benchmark's own included`)
  await store.close()
  console.log(`${(statSync(file).size / (lives + 2_000)).toFixed(0)} bytes a message`)
  return lives / seconds
}

async function openAccounts(store: Store, count: number): Promise<AccountId[]> {
  const ids: AccountId[] = []
  for (let index = 0; index < count; index += 1) {
    const { id: _, ...account } = buildAccount({ name: `Client ${index}` })
    const id = (await store.change({ kind: 'create account', account })) as AccountId
    await store.change({ kind: 'top up', accountId: id, amountMicros: toMicros(1e12), at: BEGINNING })
    ids.push(id)
  }
  return ids
}

async function run(store: Store, accounts: readonly AccountId[], first: number, count: number): Promise<void> {
  let next = first
  const lane = async () => {
    while (next < first + count) {
      const counter = next++
      await live(store, buildMessage({ counter, accountId: accounts[counter % accounts.length] as AccountId }))
    }
  }
  await Promise.all(Array.from({ length: window }, lane))
}

async function live(store: Store, message: Message): Promise<void> {
  const ref = `ref-${(message.id * 7919) % 1e9}-${message.id}`
  await store.accept({
    accountId: message.accountId,
    now: BEGINNING,
    idempotency: null,
    items: [{ kind: 'message', message, waits: false, links: [], uniqueId: false }],
  })
  const taken = turn(
    advance(message, {
      kind: 'answered',
      at: BEGINNING + 5,
      step: 0,
      carrierId: 'smsc',
      verdicts: [{ kind: 'taken', ref, part: 0 }],
      jitter: 0,
    }),
  )
  await store.record([{ turn: taken, held: false, reportsHeld: true, clickedCode: null }])
  await store.matchReceipts([{ carrierId: 'smsc', ref, outcome: 'delivered', detail: 'stat:DELIVRD' }], BEGINNING + 9)
  const delivered = turn(
    advance(taken.message, {
      kind: 'receipt',
      at: BEGINNING + 9,
      step: 0,
      part: 0,
      carrierId: 'smsc',
      outcome: 'delivered',
      detail: 'stat:DELIVRD',
    }),
  )
  await store.record([{ turn: delivered, held: false, reportsHeld: true, clickedCode: null }])
  await store.settleReports([
    {
      messageId: message.id,
      number: 0,
      kind: 'sent',
      at: BEGINNING + 12,
      dueAt: null,
      held: false,
      detail: '200',
    },
  ])
}

function turn(made: Turn | null): Turn {
  if (made === null) throw new Error('nothing happened')
  return made
}

/** One INSERT a message, a hundred of them and four more fsyncs for each hundred, as the lives have. */
function measureBareRows(): number {
  const database = new DatabaseSync(join(folder, 'bare.db'))
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec('CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT) STRICT; CREATE TABLE beat (n INTEGER) STRICT')
  const insert = database.prepare('INSERT INTO row VALUES (?, ?)')
  const text = JSON.stringify(buildMessage())
  const startedAt = performance.now()
  for (let first = 0; first < lives; first += 100) {
    database.exec('BEGIN')
    for (let id = first; id < first + 100; id += 1) insert.run(id, text)
    database.exec('COMMIT')
    for (let beat = 0; beat < 4; beat += 1) database.exec('INSERT INTO beat VALUES (1)')
  }
  const seconds = (performance.now() - startedAt) / 1_000
  database.close()
  return lives / seconds
}
