/** A thread that answers one question at a time, and ends when it is asked null. */
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'

export class AskedThread<Question, Answer> {
  readonly #worker: Worker
  #asked: PromiseWithResolvers<Answer> | null = null
  #ended: Error | null = null

  constructor(worker: Worker) {
    this.#worker = worker
    worker.on('message', (answer: Answer) => {
      const asked = this.#asked
      this.#asked = null
      asked?.resolve(answer)
    })
    worker.on('error', (error) => this.#end(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', () => this.#end(new Error('a thread of the store has exited')))
  }

  get isAsked(): boolean {
    return this.#asked !== null
  }

  /** Rejects if the thread ends before it answers. */
  ask(question: Question): Promise<Answer> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    this.#asked = Promise.withResolvers()
    this.#worker.postMessage(question)
    return this.#asked.promise
  }

  async end(): Promise<void> {
    if (this.#ended !== null) return
    const exit = once(this.#worker, 'exit')
    this.#worker.postMessage(null)
    await exit
  }

  #end(error: Error): void {
    this.#ended ??= error
    this.#asked?.reject(error)
    this.#asked = null
  }
}
