/**
 * Counts the work of a process, for bench/cost.ts: preloaded with `--import` into every thread, it wraps the functions
 * of Node and of the drivers that the gateway calls. The sources of the gateway know nothing of it.
 */
import crypto from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import v8 from 'node:v8'
import { getEnvironmentData, isMainThread, parentPort, setEnvironmentData, Worker } from 'node:worker_threads'
import pg from 'pg'
import { HmacSha256 } from '../src/http/hooks/hmac-sha256.ts'

/** What is counted, each at its place in the counters that all threads share. */
export const COUNTERS = [
  'statements',
  'rows',
  'commits',
  'WAL pages',
  'WAL bytes',
  'crossings',
  'bytes crossing',
  'objects crossing',
  'HMACs',
  'ciphers',
  'hashes',
] as const
export type Counter = (typeof COUNTERS)[number]

const SHARED = 'posthorn counted work'
/** Where the index of the write-ahead log has the number of its pages (WalIndexHdr.mxFrame). */
const WAL_PAGES_OFFSET = 16
/** A page and its header. */
const WAL_FRAME_BYTES = 4_096 + 24

type Method = (this: never, ...args: never[]) => unknown

/** Returns the counters of this process. */
export function readCounters(): Record<Counter, number> {
  return Object.fromEntries(COUNTERS.map((name, index) => [name, Atomics.load(counters, index)])) as never
}

function openCounters(): Int32Array {
  const shared = getEnvironmentData(SHARED) as SharedArrayBuffer | undefined
  if (shared !== undefined) return new Int32Array(shared)
  const made = new SharedArrayBuffer(COUNTERS.length * Int32Array.BYTES_PER_ELEMENT)
  if (isMainThread) setEnvironmentData(SHARED, made)
  return new Int32Array(made)
}

function add(counter: Counter, count = 1): void {
  Atomics.add(counters, COUNTERS.indexOf(counter), count)
}

/** Calls `before` with the arguments of every call of a method, and `after` with its receiver. */
function watch<T extends object>(
  owner: T,
  name: keyof T,
  before: (args: readonly unknown[]) => void,
  after: (receiver: never, args: readonly unknown[]) => void = () => {},
): void {
  const original = owner[name] as Method
  owner[name] = function (this: never, ...args: never[]) {
    before(args)
    const result = original.apply(this, args)
    after(this, args)
    return result
  } as never
}

function watchSqlite(): void {
  const readChanges = new WeakMap<DatabaseSync, { readonly statement: StatementSync; changes: number; pages: number }>()
  const get = StatementSync.prototype.get as unknown as (this: StatementSync) => Record<string, unknown> | undefined
  const isCommit = ([sql]: readonly unknown[]) => /^COMMIT\b/.test(String(sql))
  const noteCommit = (database: DatabaseSync, args: readonly unknown[]): void => {
    if (!isCommit(args)) return
    const statement = database.prepare('SELECT total_changes() AS changes')
    const seen = readChanges.get(database) ?? { statement, changes: 0, pages: 0 }
    readChanges.set(database, seen)
    const changes = Number(get.call(seen.statement)?.['changes'])
    // A transaction that only read is no commit.
    if (changes === seen.changes) return
    add('commits')
    add('rows', changes - seen.changes)
    seen.changes = changes
    const pages = readWalPages(database.location())
    // The log begins again after a checkpoint.
    const written = pages >= seen.pages ? pages - seen.pages : pages
    seen.pages = pages
    add('WAL pages', written)
    add('WAL bytes', written * WAL_FRAME_BYTES)
  }
  watch(DatabaseSync.prototype, 'exec', () => add('statements'), noteCommit)
  for (const name of ['run', 'get', 'all', 'iterate'] as const) {
    watch(StatementSync.prototype, name, () => add('statements'))
  }
}

function readWalPages(file: string | null): number {
  if (file === null) return 0
  const index = openSync(`${file}-shm`, 'r')
  const bytes = Buffer.alloc(4)
  readSync(index, bytes, 0, 4, WAL_PAGES_OFFSET)
  closeSync(index)
  return bytes.readUInt32LE()
}

function watchPostgres(): void {
  watch(pg.Client.prototype, 'query' as never, ([query]) => {
    add('statements')
    if (query === 'COMMIT') add('commits')
  })
}

function watchThreads(): void {
  const note = ([value]: readonly unknown[]): void => {
    add('crossings')
    add('bytes crossing', v8.serialize(value).length)
    add('objects crossing', countObjects(value))
  }
  watch(Worker.prototype, 'postMessage', note)
  if (parentPort !== null) watch(parentPort, 'postMessage', note)
}

/** Arrays and objects, which cost more to clone than their bytes say. */
function countObjects(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (ArrayBuffer.isView(value)) return 1
  return Object.values(value).reduce<number>((sum, each) => sum + countObjects(each), 1)
}

function watchCrypto(): void {
  watch(crypto, 'createHmac', () => add('HMACs'))
  // Two hashes each.
  watch(HmacSha256.prototype, 'sign', () => add('HMACs'))
  for (const name of ['createCipheriv', 'createDecipheriv'] as const) watch(crypto, name, () => add('ciphers'))
  for (const name of ['createHash', 'hash'] as const) watch(crypto, name, () => add('hashes'))
  syncBuiltinESMExports()
}

const counters = openCounters()
watchSqlite()
watchPostgres()
watchThreads()
watchCrypto()
