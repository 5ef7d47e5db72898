/** Runs batches in a separate thread, so that a slow disk never blocks sockets. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { StoreError } from '../../ports/store-errors.ts'
import type { Answer, Command } from './engine.ts'
import type { WorkerNews, WorkerSetup } from './engine-worker.ts'
import type { Runner } from './group-commit.ts'

/** Beside this file, in the sources and in the published build. */
const ENGINE_WORKER = import.meta.url.endsWith('.ts') ? './engine-worker.ts' : './engine-worker.js'

/** Resolves once the database is open. Rejects with a StoreError that says why it cannot be opened. */
export async function startWorker(setup: WorkerSetup): Promise<Runner> {
  const worker = new Worker(new URL(ENGINE_WORKER, import.meta.url), { workerData: setup })
  const [news]: [WorkerNews] = (await once(worker, 'message')) as [WorkerNews]
  if (news.kind === 'not opened') throw new StoreError(news.reason)
  return new WorkerRunner(worker)
}

class WorkerRunner implements Runner {
  readonly #worker: Worker
  #underWay: PromiseWithResolvers<readonly Answer[]> | null = null
  #ended: Error | null = null

  constructor(worker: Worker) {
    this.#worker = worker
    worker.on('message', (news: WorkerNews) => {
      if (news.kind === 'answers') this.#underWay?.resolve(news.answers)
    })
    worker.on('error', (error) => this.#end(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', () => this.#end(new Error('the thread of the store has exited')))
  }

  run(batch: readonly Command[]): Promise<readonly Answer[]> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    this.#underWay = Promise.withResolvers()
    this.#worker.postMessage(batch)
    return this.#underWay.promise
  }

  async close(): Promise<void> {
    if (this.#ended !== null) return
    const exit = once(this.#worker, 'exit')
    this.#worker.postMessage(null)
    await exit
  }

  #end(error: Error): void {
    this.#ended ??= error
    this.#underWay?.reject(error)
  }
}
