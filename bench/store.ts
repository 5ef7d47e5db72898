/**
 * How many lives of a message the embedded store records in a second: accepted and paid, taken by a carrier, its
 * receipt matched, delivered with a report, the report sent. Five calls each, every one on disk before the next.
 * Compared with the least that any store on SQLite has to do: as many transactions, each with the bare rows of the
 * accepted messages.
 *
 *     node bench/store.ts [rounds] [lives under way at a time] [--inline]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AccountId } from '../src/domain/ids/account-id.ts'
import type { Store } from '../src/ports/stores/store.ts'
import { openSqliteStore } from '../src/stores/sqlite/open-store.ts'
import { buildMessage } from '../test/support/build-message.ts'
import { TEST_KEYS } from '../test/support/test-keys.ts'
import { accept, deliver, inWindow, openAccounts } from './lives.ts'

const numbers = process.argv.slice(2).map(Number).filter(Number.isFinite)
const [rounds = 8, window = 400] = numbers
const inline = process.argv.includes('--inline')
const LIVES_A_ROUND = 10_000
const folder = mkdtempSync(join(tmpdir(), 'posthorn-bench-'))

interface Figures {
  readonly perSecond: number
  readonly cpuMicros: number
}

try {
  await compare()
} finally {
  rmSync(folder, { recursive: true })
}

/** A round of one and a round of the other in turn, so that both meet the same machine. The first round warms up. */
async function compare(): Promise<void> {
  const file = join(folder, 'posthorn.db')
  const store = await openSqliteStore({ file, keys: TEST_KEYS, inline })
  const accounts = await openAccounts(store, 10)
  const whole: Figures[] = []
  const bare: Figures[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const first = round * LIVES_A_ROUND + 1
    whole.push(await measure(() => run(store, accounts, first, LIVES_A_ROUND)))
    bare.push(await measure(async () => writeBareRows(first)))
  }
  const { commands, commits } = store.work
  await store.close()
  console.log(
    `rounds of ${LIVES_A_ROUND} lives, ${window} under way at a time, ${inline ? 'one thread' : 'two threads'}`,
  )
  console.log(`${(commands / commits).toFixed(0)} calls a commit`)
  console.log(`${(statSync(file).size / (LIVES_A_ROUND * (rounds + 1))).toFixed(0)} bytes a message`)
  print('whole lives', whole.slice(1))
  print('bare rows  ', bare.slice(1))
  console.log(`ratio of the medians: ${(median(whole.slice(1)) / median(bare.slice(1))).toFixed(2)}`)
}

async function measure(work: () => Promise<void>): Promise<Figures> {
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return {
    perSecond: (LIVES_A_ROUND * 1_000) / (performance.now() - startedAt),
    cpuMicros: (user + system) / LIVES_A_ROUND,
  }
}

function print(what: string, figures: readonly Figures[]): void {
  const best = Math.max(...figures.map(({ perSecond }) => perSecond))
  const cpu = Math.min(...figures.map(({ cpuMicros }) => cpuMicros))
  console.log(
    `${what}: median ${median(figures).toFixed(0)}/s, best ${best.toFixed(0)}/s, ` +
      `at least ${cpu.toFixed(0)} µs of CPU each, all threads, the benchmark's own work included`,
  )
}

function median(figures: readonly Figures[]): number {
  return figures.map(({ perSecond }) => perSecond).sort((a, b) => a - b)[figures.length >> 1] ?? 0
}

function run(store: Store, accounts: readonly AccountId[], first: number, count: number): Promise<void> {
  return inWindow(window, first, count, async (counter) => {
    const message = buildMessage({ counter, accountId: accounts[counter % accounts.length] as AccountId })
    await accept(store, message)
    await deliver(store, message)
  })
}

/** One row a message, a hundred to a transaction, and four transactions more for each hundred, as the lives have. */
function writeBareRows(first: number): void {
  const database = new DatabaseSync(join(folder, 'bare.db'))
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec('CREATE TABLE IF NOT EXISTS row (id INTEGER PRIMARY KEY, text TEXT) STRICT')
  database.exec('CREATE TABLE IF NOT EXISTS beat (n INTEGER) STRICT')
  const insert = database.prepare('INSERT INTO row VALUES (?, ?)')
  const text = JSON.stringify(buildMessage())
  for (let start = first; start < first + LIVES_A_ROUND; start += 100) {
    database.exec('BEGIN')
    for (let id = start; id < start + 100; id += 1) insert.run(id, text)
    database.exec('COMMIT')
    for (let beat = 0; beat < 4; beat += 1) database.exec('INSERT INTO beat VALUES (1)')
  }
  database.close()
}
