/** The thread of the bare relay that writes rows: one transaction, with its fsync, for all that wait. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort } from 'node:worker_threads'

/** So many of the batches that were posted are on disk now. */
export interface WrittenRows {
  readonly batches: number
}

const port = parentPort
if (port === null) throw new Error('this is a thread of the bare relay')
const folder = mkdtempSync(join(tmpdir(), 'posthorn-bench-'))
const database = new DatabaseSync(join(folder, 'rows.db'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8192')
database.exec('CREATE TABLE row (row_id INTEGER PRIMARY KEY, at INTEGER, state TEXT, text BLOB)')
const insert = database.prepare('INSERT INTO row (at, state, text) VALUES (?, ?, ?)')
const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')]
/** About as long as a row of ours is on average. */
const TEXT = Buffer.alloc(80, 7)

port.on('message', (first: readonly number[]) => {
  begin.run()
  let batches = 0
  for (let counts: readonly number[] | undefined = first; counts !== undefined; batches += 1) {
    for (const count of counts) for (let each = 0; each < count; each += 1) insert.run(each, 'delivered', TEXT)
    counts = receiveMessageOnPort(port)?.message
  }
  commit.run()
  port.postMessage({ batches } satisfies WrittenRows)
})
