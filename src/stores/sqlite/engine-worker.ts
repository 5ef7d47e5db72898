/** The engine's thread: opens the database, reports it, and then answers batches until it is closed. */
import { parentPort, workerData } from 'node:worker_threads'
import type { KeySource } from '../vault/key-ring.ts'
import { openVault } from '../vault/open-vault.ts'
import { type Answer, type Command, Engine } from './engine.ts'
import { openDatabase, type Role } from './open-database.ts'

export interface WorkerSetup {
  readonly file: string
  readonly role: Role
  readonly keys: KeySource
}

export type WorkerNews =
  | { readonly kind: 'opened' }
  | { readonly kind: 'not opened'; readonly reason: string }
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] }

function post(news: WorkerNews): void {
  parentPort?.postMessage(news)
}

function open({ file, role, keys }: WorkerSetup): Engine | null {
  try {
    const vault = openVault(keys)
    return new Engine(openDatabase(file, role), vault)
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
