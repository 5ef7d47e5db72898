/**
 * Runs batches in a thread, so that a slow disk never blocks sockets, and brings them to the disk from another one. If
 * one of the two fails, so do all later calls: after a failed fsync it is unknown what is on the disk.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { StoreError } from '../../ports/store-errors.ts'
import type { DiskWorkerSetup } from './disk-worker.ts'
import type { Answer, Command } from './engine.ts'
import type { WorkerNews, WorkerSetup } from './engine-worker.ts'
import type { Runner } from './group-commit.ts'

/** Beside this file, in the sources and in the published build. */
const ENDING = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const ENGINE_WORKER = new URL(`./engine-worker.${ENDING}`, import.meta.url)
const DISK_WORKER = new URL(`./disk-worker.${ENDING}`, import.meta.url)
/** It keeps nothing. */
const DISK_WORKER_LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16 }

/** Resolves once the database is open. Rejects with a StoreError that says why it cannot be opened. */
export async function startWorker(setup: WorkerSetup): Promise<Runner> {
  const engine = new Worker(ENGINE_WORKER, { workerData: setup })
  const [news]: [WorkerNews] = (await once(engine, 'message')) as [WorkerNews]
  if (news.kind === 'not opened') throw new StoreError(news.reason)
  return new WorkerRunner(engine, setup.role === 'gateway' ? startDiskWorker(setup.file) : null)
}

function startDiskWorker(file: string): Worker {
  const workerData: DiskWorkerSetup = { log: `${file}-wal` }
  return new Worker(DISK_WORKER, { workerData, resourceLimits: DISK_WORKER_LIMITS })
}

class WorkerRunner implements Runner {
  readonly #engine: Worker
  /** Null for a tool, whose engine syncs each commit itself. */
  readonly #disk: Worker | null
  #batch: PromiseWithResolvers<readonly Answer[]> | null = null
  #sync: PromiseWithResolvers<void> | null = null
  #ended: Error | null = null

  constructor(engine: Worker, disk: Worker | null) {
    this.#engine = engine
    this.#disk = disk
    engine.on('message', (news: WorkerNews) => {
      if (news.kind === 'answers') this.#batch?.resolve(news.answers)
    })
    disk?.on('message', (failure: string | null) => {
      if (failure === null) this.#sync?.resolve()
      else this.#end(new Error(`the disk has not taken the log: ${failure}`))
    })
    for (const worker of [engine, ...(disk === null ? [] : [disk])]) {
      worker.on('error', (error) => this.#end(error instanceof Error ? error : new Error(String(error))))
      worker.on('exit', () => this.#end(new Error('a thread of the store has exited')))
    }
  }

  run(batch: readonly Command[]): Promise<readonly Answer[]> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    this.#batch = Promise.withResolvers()
    this.#engine.postMessage(batch)
    return this.#batch.promise
  }

  sync(): Promise<void> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    if (this.#disk === null) return Promise.resolve()
    this.#sync = Promise.withResolvers()
    this.#disk.postMessage(null)
    return this.#sync.promise
  }

  async close(): Promise<void> {
    if (this.#ended !== null) return
    const exit = once(this.#engine, 'exit')
    this.#engine.postMessage(null)
    await exit
    await this.#disk?.terminate()
  }

  #end(error: Error): void {
    this.#ended ??= error
    this.#batch?.reject(error)
    this.#sync?.reject(error)
  }
}
