/** A thread that answers questions one after the other, in their order, and ends when it is asked null. */
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { Fifo } from '../../../domain/structures/fifo.ts'

export class AskedThread<Question, Answer> {
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
