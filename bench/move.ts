/**
 * How many rows a second `posthorn move` takes to PostgreSQL and back, with all its checks, on a server of its own on
 * this machine: messages with their texts, timelines, postings, carriers' ids and reports.
 *
 *     node bench/move.ts [messages]
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toAccountId } from '../src/domain/ids/account-id.ts'
import { toMicros } from '../src/domain/money/money.ts'
import { openSqliteStore } from '../src/stores/sqlite/open-store.ts'
import { BEGINNING, buildAccount, buildMessage } from '../test/support/build-message.ts'
import { CommandLine } from '../test/support/command-line.ts'
import { receipt, taken } from '../test/support/make-turn.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { TEST_KEY, TEST_KEYS } from '../test/support/test-keys.ts'

const [messages = 20_000] = process.argv.slice(2).map(Number)
const REQUEST = 100
const ACCOUNTS = 40

const folder = mkdtempSync(join(tmpdir(), 'posthorn-bench-'))
const server = await startPostgres({ durable: true })
const line = new CommandLine()
try {
  line.environment = { POSTHORN_SECRET_KEY: TEST_KEY }
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  await fill(first)
  await server.query('postgres', 'CREATE DATABASE moved')
  const megabytes = statSync(join(first, 'posthorn.db')).size / 1e6
  console.log(`${messages} messages of ${ACCOUNTS} accounts, a file of ${megabytes.toFixed(0)} MB`)
  await measure('to PostgreSQL', first, server.urlOf('moved'))
  await measure('back', server.urlOf('moved'), second)
} finally {
  line.close()
  await server.stop()
  rmSync(folder, { recursive: true })
}

async function measure(name: string, from: string, to: string): Promise<void> {
  const begunAt = performance.now()
  const { rows } = await line.ask(['move', '--from', from, '--to', to])
  const seconds = (performance.now() - begunAt) / 1_000
  console.log(`${name}: ${rows} rows in ${seconds.toFixed(1)} s, ${(Number(rows) / seconds).toFixed(0)} a second`)
}

async function fill(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { mode: 0o700 })
  const store = await openSqliteStore({ file: join(dataDir, 'posthorn.db'), keys: TEST_KEYS, inline: true })
  const accounts: number[] = []
  for (let number = 1; number <= ACCOUNTS; number += 1) {
    const { id: _, ...account } = buildAccount({ name: `Account ${number}` })
    const accountId = toAccountId((await store.change({ kind: 'create account', account })) ?? 0)
    await store.change({ kind: 'top up', accountId, amountMicros: toMicros(1e12), at: BEGINNING })
    accounts.push(accountId)
  }
  for (let sent = 0; sent < messages; sent += REQUEST) {
    const accountId = toAccountId(accounts[(sent / REQUEST) % ACCOUNTS] ?? 0)
    const items = Array.from({ length: REQUEST }, (_, place) => {
      const message = buildMessage({ counter: sent + place + 1, accountId, reportSteps: true })
      return { kind: 'message', message, waits: false, links: [], uniqueId: false } as const
    })
    await store.accept({ accountId, now: BEGINNING, idempotency: null, items })
    const carried = items.map(({ message }) => taken(message, [`ref-${message.id}`]))
    const ended = carried.map((turn) => receipt(turn.message, 'delivered'))
    for (const turns of [carried, ended]) {
      await store.record(turns.map((turn) => ({ turn, held: false, reportsHeld: false, clickedCode: null })))
    }
  }
  await store.close()
}
