/**
 * Which tables and indexes fill SQLite's log: pages written in one transaction, by tree. A tree whose rows fall
 * anywhere writes about one page for each row, however small the row is.
 *
 *     node bench/log-pages.ts [folder of grown.ts] [accounts of a new store] [messages before]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Child } from './child.ts'
import { deliver, systemOf } from './deliveries.ts'
import { readNumbers, startGateway } from './gateways.ts'

const MESSAGES = 12_000
/** The log may have begun anew just before. */
const [MIN_TRANSACTIONS, MAX_ROUNDS] = [40, 10]
/** In the format of SQLite's log: the header of the file, that of a frame, and the page in it. */
const [LOG_HEADER, FRAME_HEADER, PAGE] = [32, 24, 4_096]
const folder = process.argv.slice(2).find((arg) => Number.isNaN(Number(arg)))
const [accounts = 10_000, warming = 120_000] = readNumbers().filter((number) => !Number.isNaN(number))

const load = new Child('./http-load.ts')
const gateway = await startGateway('sqlite', folder === undefined ? { accounts } : { folder })
await deliver(load, systemOf(gateway), { messages: warming, connections: 128 })
const file = join(gateway.folder, 'posthorn.db')
let log: Log = { pages: [], transactions: 0 }
for (let round = 0; log.transactions < MIN_TRANSACTIONS && round < MAX_ROUNDS; round += 1) {
  await deliver(load, systemOf(gateway), { messages: MESSAGES, connections: 128 })
  log = readLog(readFileSync(`${file}-wal`))
}
const { pages, transactions } = log
const trees = countByTree(file, pages)
await Promise.all([gateway.end(), load.end()])

console.log(`${transactions} transactions of the log; pages in one: ${(pages.length / transactions).toFixed(1)}`)
for (const [tree, count] of [...trees].sort(([, a], [, b]) => b - a).slice(0, 25)) {
  console.log(`${(count / transactions).toFixed(2).padStart(8)}  ${tree}`)
}

interface Log {
  /** The number of each page, as often as it was written. */
  readonly pages: readonly number[]
  readonly transactions: number
}

/** Returns what was written since the log began anew. */
function readLog(log: Buffer): Log {
  const salt = log.subarray(16, 24)
  const pages: number[] = []
  let transactions = 0
  for (let at = LOG_HEADER; at + FRAME_HEADER + PAGE <= log.length; at += FRAME_HEADER + PAGE) {
    if (!log.subarray(at + 8, at + 16).equals(salt)) break
    pages.push(log.readUInt32BE(at))
    if (log.readUInt32BE(at + 4) > 0) transactions += 1
  }
  return { pages, transactions }
}

function countByTree(file: string, pages: readonly number[]): ReadonlyMap<string, number> {
  const times = new Map<number, number>()
  for (const page of pages) times.set(page, (times.get(page) ?? 0) + 1)
  const counts = new Map<string, number>()
  const database = new DatabaseSync(file, { readOnly: true })
  const places = database.prepare('SELECT pageno, name, pagetype FROM dbstat')
  places.setReturnArrays(true)
  for (const [page, name, kind] of places.iterate() as unknown as Iterable<[number, string, string]>) {
    const count = times.get(page)
    const tree = kind === 'leaf' ? name : `${name}, ${kind}`
    if (count !== undefined) counts.set(tree, (counts.get(tree) ?? 0) + count)
  }
  database.close()
  return counts
}
