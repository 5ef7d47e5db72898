/** A copy of the database that is made beside a busy gateway: whole, readable with the key, and of one moment. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { patiently } from '../crash/patiently.ts'
import { CommandLine } from '../support/command-line.ts'
import { TEST_KEYS } from '../support/test-keys.ts'

const ACCEPTING = fileURLToPath(new URL('../support/accept-forever.ts', import.meta.url))
const KEYS = TEST_KEYS.kind === 'given' ? TEST_KEYS.keys : ''

let line: CommandLine
let gateway: ChildProcess | null
beforeEach(() => {
  line = new CommandLine()
  gateway = null
})
afterEach(async () => {
  if (gateway !== null && gateway.exitCode === null) {
    gateway.kill('SIGKILL')
    await once(gateway, 'exit')
  }
  line.close()
})

test('beside a gateway that goes on accepting, the copy has all that was accepted before', async () => {
  line.environment = { POSTHORN_SECRET_KEY: KEYS }
  mkdirSync(line.dataDir, { mode: 0o700 })
  const accepted: number[] = []
  const child = spawn(process.execPath, [ACCEPTING, join(line.dataDir, 'posthorn.db')])
  gateway = child
  createInterface({ input: child.stdout }).on('line', (id) => accepted.push(Number(id)))
  await patiently(() => (accepted.length >= 500 ? null : `500 messages, ${accepted.length}`))

  const before = [...accepted]
  const copy = line.path('posthorn-copy.db')
  const copied = await line.ask(['backup', copy])
  expect(copied).toMatchObject({ file: copy, bytes: statSync(copy).size, keys: 'POSTHORN_SECRET_KEY' })
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  await patiently(() => (accepted.length > before.length + 100 ? null : 'the gateway does not go on'))

  const restored = line.path('restored')
  mkdirSync(restored, { mode: 0o700 })
  copyFileSync(copy, join(restored, 'posthorn.db'))
  expect(await line.ask(['ledger', 'verify', '--data-dir', restored])).toEqual({ faults: [] })
  const store = await openSqliteStore({ file: join(restored, 'posthorn.db'), keys: TEST_KEYS, inline: true })
  try {
    const found = await store.loadMessages(before as MessageId[])
    expect(found.length).toBe(before.length)
    const last = await store.trace(before.at(-1) as MessageId)
    expect(last?.message.plan[0]?.content).toMatchObject({ text: 'Your parcel is here.' })
  } finally {
    await store.close()
  }
}, 60_000)

/** Holds the database locked, as the end of a connection does for a tenth of a second. */
const LOCKING = `
  const { DatabaseSync } = require('node:sqlite')
  const { parentPort, workerData } = require('node:worker_threads')
  const database = new DatabaseSync(workerData)
  database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  parentPort.postMessage('locked')
  setTimeout(() => database.close(), 100)`

test('waits while another connection has locked the database', async () => {
  await line.ask(['account', 'create', '--name', 'Shop'])
  const worker = new Worker(LOCKING, { eval: true, workerData: join(line.dataDir, 'posthorn.db') })
  await once(worker, 'message')
  expect(await line.ask(['backup', line.path('copy.db')])).toMatchObject({ file: line.path('copy.db') })
  await worker.terminate()
})

test('names the place of the keys, and replaces no file', async () => {
  await line.ask(['account', 'create', '--name', 'Shop'])
  const copy = line.path('copy.db')
  const { out } = await line.run(['backup', copy])
  expect(out).toMatch(
    /copy\.db: \d+\.\d MB in \d+\.\d seconds, readable by its owner only\.\nIt opens only with the keys in .*secret\.key,/,
  )
  const first = readFileSync(copy)
  await line.ask(['account', 'create', '--name', 'Other'])
  expect(await line.run(['backup', copy])).toMatchObject({
    exitCode: 1,
    err: expect.stringMatching(/already exists: choose another file/),
  })
  expect(readFileSync(copy).equals(first)).toBe(true)
  writeFileSync(line.path('note.txt'), 'mine')
  expect(await line.run(['backup', line.path('note.txt')])).toMatchObject({ exitCode: 1 })
  expect(readFileSync(line.path('note.txt'), 'utf8')).toBe('mine')
  expect(readdirSync(line.path('.')).sort()).toEqual(['copy.db', 'data', 'note.txt'])
})

test('says what is wrong, and makes nothing', async () => {
  const empty = new CommandLine({ initialized: false })
  const copy = line.path('copy.db')
  expect(await empty.run(['backup', copy])).toMatchObject({
    exitCode: 1,
    err: expect.stringMatching(/no installation/),
  })
  expect(existsSync(empty.dataDir)).toBe(false)
  empty.close()
  await line.ask(['account', 'create', '--name', 'Shop'])
  const nowhere = line.path('nowhere/copy.db')
  expect(await line.run(['backup', nowhere])).toMatchObject({ exitCode: 1, err: expect.stringMatching(/nowhere/) })
  const elsewhere = await line.run(['backup', copy, '--database', 'postgres://me:guess@db.example.net/x'])
  expect(elsewhere).toMatchObject({ exitCode: 1, err: expect.stringMatching(/db\.example\.net\/x .*pg_dump.*PITR/) })
  expect(elsewhere.err).not.toContain('guess')
  expect(existsSync(copy)).toBe(false)
})
