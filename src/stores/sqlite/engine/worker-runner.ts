/**
 * Runs batches in a thread, so that a slow disk never blocks sockets; two others bring them to the disk, at the
 * engine's request, and copy the log to the database. After a failed fsync it is unknown what is on the disk, so all
 * later calls fail.
 */
import { on, once } from 'node:events'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { Fifo } from '../../../domain/structures/fifo.ts'
import type { OnMigration } from '../../../ports/records/migration.ts'
import { StoreError } from '../../../ports/records/store-errors.ts'
import { type PackedBatch, packBatch, unpackAnswers } from './crossing.ts'
import type { DiskWorkerSetup } from './disk-worker.ts'
import type { CommandOutcome, EngineCommand } from './engine.ts'
import type { EngineSetup, WorkerNews, WorkerSetup } from './engine-worker.ts'
import type { Runner } from './group-commit.ts'

/** A thread that answers questions one after the other, in their order, and ends when it is asked null. */
class AskedThread<Question, Answer> {
  readonly #worker: Worker
  readonly #asked = new Fifo<PromiseWithResolvers<Answer>>()
  #ended: Error | null = null

  constructor(worker: Worker) {
    this.#worker = worker
    worker.on('message', (answer: Answer) => {
      this.#asked.shift()?.resolve(answer)
    })
    worker.on('error', (error) => this.#end(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', () => this.#end(new Error('a thread of the store has exited')))
  }

  get isAsked(): boolean {
    return this.#asked.length > 0
  }

  /** Rejects if the thread ends before it answers. */
  ask(question: Question): Promise<Answer> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    const asked = Promise.withResolvers<Answer>()
    this.#asked.push(asked)
    this.#worker.postMessage(question)
    return asked.promise
  }

  async end(): Promise<void> {
    if (this.#ended !== null) return
    const exit = once(this.#worker, 'exit')
    this.#worker.postMessage(null)
    await exit
  }

  #end(error: Error): void {
    this.#ended ??= error
    for (const asked of this.#asked) asked.reject(error)
  }
}

/** Beside this file, in the sources and in the published build. */
const ENDING = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const ENGINE_WORKER = new URL(`./engine-worker.${ENDING}`, import.meta.url)
const DISK_WORKER = new URL(`./disk-worker.${ENDING}`, import.meta.url)
/** As much as it uses: V8 would reserve up to 128 MiB for new objects on a large machine. */
const ENGINE_WORKER_LIMITS = { maxYoungGenerationSizeMb: 6 }
/** It keeps nothing. */
const DISK_WORKER_LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16 }

/** One or two pages of the log for each; a copy rewrites hot pages, so it is not made too often. */
const CHECKPOINT_ROWS = 3_000

/** Of a gateway: a tool's engine syncs each commit itself, and copies the log now and then. */
interface DiskThreads {
  readonly syncing: LogSync
  readonly copying: AskedThread<'run' | null, string | null>
  readonly checkpointRows: number
}

/** Resolves once the database is open. Rejects with a StoreError that says why it cannot be opened. */
export async function startWorker(setup: WorkerSetup, onMigration?: OnMigration): Promise<Runner> {
  const syncs = setup.role === 'gateway' ? new MessageChannel() : null
  const workerData: EngineSetup = { ...setup, syncLog: syncs?.port1 ?? null }
  const transferList = syncs === null ? [] : [syncs.port1]
  const engine = new Worker(ENGINE_WORKER, { workerData, transferList, resourceLimits: ENGINE_WORKER_LIMITS })
  for await (const [news] of on(engine, 'message') as AsyncIterable<[WorkerNews]>) {
    if (news.kind === 'not opened') throw new StoreError(news.reason)
    if (news.kind === 'opened') break
    if (news.kind === 'migration') onMigration?.(news.migration)
  }
  return new WorkerRunner(new AskedThread(engine), syncs === null ? null : startDiskThreads(setup, syncs.port2))
}

function startDiskThreads({ file, checkpointRows = CHECKPOINT_ROWS }: WorkerSetup, requests: MessagePort): DiskThreads {
  const syncing = new LogSync(startDiskWorker({ file, task: 'sync', requests }, [requests]))
  const copying = new AskedThread<'run' | null, string | null>(startDiskWorker({ file, task: 'checkpoint' }))
  return { syncing, copying, checkpointRows }
}

function startDiskWorker(workerData: DiskWorkerSetup, transferList: MessagePort[] = []): Worker {
  return new Worker(DISK_WORKER, { workerData, transferList, resourceLimits: DISK_WORKER_LIMITS })
}

class WorkerRunner implements Runner {
  readonly #engine: AskedThread<PackedBatch | null, WorkerNews>
  readonly #disk: DiskThreads | null
  /** That the engine has asked for. */
  #syncs = 0
  #rowsToCopy = 0
  #failure: Error | null = null

  constructor(engine: AskedThread<PackedBatch | null, WorkerNews>, disk: DiskThreads | null) {
    this.#engine = engine
    this.#disk = disk
  }

  async run(batch: readonly EngineCommand[], rows: number): Promise<readonly CommandOutcome[]> {
    if (this.#failure !== null) throw this.#failure
    this.#rowsToCopy += rows
    const news = await this.#engine.ask(packBatch(batch))
    if (news.kind !== 'answers') return []
    this.#syncs = news.syncs
    return unpackAnswers(news.answers)
  }

  async sync(): Promise<void> {
    if (this.#failure !== null) throw this.#failure
    if (this.#disk === null) return
    try {
      await this.#disk.syncing.reached(this.#syncs)
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error))
      throw this.#failure
    }
    if (this.#rowsToCopy >= this.#disk.checkpointRows) this.#copyLog(this.#disk.copying)
  }

  async close(): Promise<void> {
    // The last connection to the database that is closed removes the log.
    await Promise.all([this.#disk?.syncing.end(), this.#disk?.copying.end()])
    await this.#engine.end()
  }

  /** A log that cannot be copied stays; the next copy includes it. */
  #copyLog(copying: DiskThreads['copying']): void {
    if (copying.isAsked) return
    this.#rowsToCopy = 0
    copying.ask('run').catch(() => {})
  }
}

/**
 * The thread that brings the log to the disk (disk-worker.ts). The engine asks it after each commit, without the main
 * thread in between; it reports each sync here. After a failed one it is unknown what is on the disk, so that none
 * counts any more.
 */
export class LogSync {
  readonly #worker: Worker
  /** Syncs that have ended. */
  #count = 0
  #failure: Error | null = null
  #isOver = false
  #awaited: (PromiseWithResolvers<void> & { readonly count: number }) | null = null

  constructor(worker: Worker) {
    this.#worker = worker
    worker.on('message', (reason: string | null) => {
      if (reason !== null) this.#fail(new Error(`the disk has not taken the log: ${reason}`))
      else this.#advance()
    })
    worker.on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', () => {
      this.#isOver = true
      this.#fail(new Error('a thread of the store has exited'))
    })
  }

  /** Resolves once so many syncs have ended; one call at a time. Rejects after a failed one, and if the thread ends. */
  reached(count: number): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure)
    if (this.#count >= count) return Promise.resolve()
    this.#awaited = { ...Promise.withResolvers<void>(), count }
    return this.#awaited.promise
  }

  async end(): Promise<void> {
    if (this.#isOver) return
    const exit = once(this.#worker, 'exit')
    this.#worker.postMessage(null)
    await exit
  }

  #advance(): void {
    this.#count += 1
    if (this.#failure !== null || this.#awaited === null || this.#count < this.#awaited.count) return
    this.#awaited.resolve()
    this.#awaited = null
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#awaited?.reject(this.#failure)
    this.#awaited = null
  }
}
