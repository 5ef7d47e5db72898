/**
 * The engine's thread: opens the database, reports it, and then answers batches until it is closed. A gateway's commits
 * only reach the log here; the engine asks another thread to bring the log to the disk (disk-worker.ts).
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Migration } from '../../../ports/records/migration.ts'
import type { KeySource } from '../../vault/key-ring.ts'
import { openVault } from '../../vault/open-vault.ts'
import { type DatabaseRole, openDatabase } from '../session/open-database.ts'
import { type PackedAnswers, type PackedBatch, packAnswers, unpackBatch } from './crossing.ts'
import { Engine, writes } from './engine.ts'

export interface EngineSetup extends WorkerSetup {
  /** Asks for a sync of the log (disk-worker.ts); null if commits wait for the disk themselves. */
  readonly syncLog: MessagePort | null
}

export interface WorkerSetup {
  readonly file: string
  readonly role: DatabaseRole
  readonly keys: KeySource
  /** Rows after which the log is copied to the database; 3,000 if absent. */
  readonly checkpointRows?: number
}

export type WorkerNews =
  | { readonly kind: 'migration'; readonly migration: Migration }
  | { readonly kind: 'opened' }
  | { readonly kind: 'not opened'; readonly reason: string }
  /** `syncs` were asked for since the start; the last one covers all batches up to this one. */
  | { readonly kind: 'answers'; readonly answers: PackedAnswers; readonly syncs: number }

function post(news: WorkerNews): void {
  parentPort?.postMessage(news)
}

function open({ file, role, keys, checkpointRows }: WorkerSetup): Engine | null {
  try {
    const vault = openVault(keys)
    const opened = openDatabase(file, role, (migration) => post({ kind: 'migration', migration }))
    if (role === 'gateway') opened.database.exec('PRAGMA synchronous = NORMAL')
    if (checkpointRows !== undefined) opened.database.exec(`PRAGMA wal_autocheckpoint = ${checkpointRows * 5}`)
    return new Engine(opened, vault)
  } catch (error) {
    post({ kind: 'not opened', reason: error instanceof Error ? error.message : String(error) })
    return null
  }
}

/** Answers batches; the sync of a batch begins without a detour over the thread that waits for it. */
function serve(engine: Engine, syncLog: MessagePort | null): void {
  let syncs = 0
  parentPort?.on('message', (packed: PackedBatch | null) => {
    if (packed === null) {
      engine.close()
      parentPort?.close()
      return
    }
    const batch = unpackBatch(packed)
    const answers = packAnswers(engine.run(batch), packed)
    if (syncLog !== null && writes(batch)) {
      syncs += 1
      syncLog.postMessage('run')
    }
    post({ kind: 'answers', answers, syncs })
  })
}

const { syncLog, ...setup } = workerData as EngineSetup
const engine = open(setup)
if (engine !== null) {
  serve(engine, syncLog)
  post({ kind: 'opened' })
}
