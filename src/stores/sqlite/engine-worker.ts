/**
 * The engine's thread: opens the database, reports it, and then answers batches until it is closed. A gateway's commits
 * only reach the log here; another thread brings the log to the disk (disk-worker.ts).
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { KeySource } from '../vault/key-ring.ts'
import { openVault } from '../vault/open-vault.ts'
import { type Answer, type Command, Engine } from './engine.ts'
import { openDatabase, type Role } from './open-database.ts'

export interface WorkerSetup {
  readonly file: string
  readonly role: Role
  readonly keys: KeySource
  /** Rows after which the log is copied to the database; 3,000 if absent. */
  readonly checkpointRows?: number
}

export type WorkerNews =
  | { readonly kind: 'opened' }
  | { readonly kind: 'not opened'; readonly reason: string }
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] }

function post(news: WorkerNews): void {
  parentPort?.postMessage(news)
}

function open({ file, role, keys, checkpointRows }: WorkerSetup): Engine | null {
  try {
    const vault = openVault(keys)
    const opened = openDatabase(file, role)
    if (role === 'gateway') opened.database.exec('PRAGMA synchronous = NORMAL')
    if (checkpointRows !== undefined) opened.database.exec(`PRAGMA wal_autocheckpoint = ${checkpointRows * 5}`)
    return new Engine(opened, vault)
  } catch (error) {
    post({ kind: 'not opened', reason: error instanceof Error ? error.message : String(error) })
    return null
  }
}

const engine = open(workerData as WorkerSetup)
if (engine !== null) {
  parentPort?.on('message', (batch: readonly Command[] | null) => {
    if (batch === null) {
      engine.close()
      parentPort?.close()
    } else {
      post({ kind: 'answers', answers: engine.run(batch) })
    }
  })
  post({ kind: 'opened' })
}
