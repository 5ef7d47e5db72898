/** The thread of a bare server that writes rows: one transaction, with its fsync, for all that wait. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort } from 'node:worker_threads'

/** Of each of these texts, or of one of ours on average, so many rows. */
export type BareRows = readonly [count: number, texts: readonly string[]]

/** So many of the batches that were posted are on disk now. */
export interface WrittenRows {
  readonly batches: number
}

const port = parentPort
if (port === null) throw new Error('this is a thread of a bare server')
const folder = mkdtempSync(join(tmpdir(), 'posthorn-bench-'))
const database = new DatabaseSync(join(folder, 'rows.db'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8192')
database.exec('CREATE TABLE row (row_id INTEGER PRIMARY KEY, at INTEGER, state TEXT, text TEXT)')
const insert = database.prepare('INSERT INTO row (at, state, text) VALUES (?, ?, ?)')
const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')]
/** About as long as a row of ours is on average. */
const TEXT = 'x'.repeat(80)

port.on('message', (first: string) => {
  begin.run()
  let batches = 0
  for (let batch: string | undefined = first; batch !== undefined; batches += 1) {
    for (const rows of JSON.parse(batch) as readonly BareRows[]) write(rows)
    batch = receiveMessageOnPort(port)?.message
  }
  commit.run()
  port.postMessage({ batches } satisfies WrittenRows)
})

/** The first row of each text has it. */
function write([count, texts]: BareRows): void {
  for (const text of texts) {
    for (let each = 0; each < count; each += 1) insert.run(each, 'delivered', each === 0 ? text : TEXT)
  }
}
