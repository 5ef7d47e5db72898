/**
 * The thread that brings the log to the disk (disk-worker.ts). The engine asks it after each commit, without the main
 * thread in between; it reports each sync here. After a failed one it is unknown what is on the disk, so that none
 * counts any more.
 */
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'

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
