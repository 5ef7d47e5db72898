/**
 * Group commit: calls that are made while a batch is under way form the next batch, which is sent off whole as soon as
 * that one is answered. Nobody waits for company, and a hundred callers share one fsync. What waits is bounded.
 */
import { ChangeRefused, StoreError } from '../../ports/store.ts'
import { type Answer, type Command, type Verb, type Verbs, writes } from './engine.ts'

/** Where batches are run: this thread or another. */
export interface Runner {
  /** One answer for each command. Rejects when the engine is gone, which leaves open whether it was written. */
  run(batch: readonly Command[]): Promise<readonly Answer[]>
  close(): Promise<void>
}

/** Rows that may wait. New messages fill half of it at most, so that there is always room to record the old ones. */
const MOST_ROWS_WAITING = 40_000

interface Waiting {
  readonly command: Command
  readonly rows: number
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

export class GroupCommit {
  readonly #runner: Runner
  #queue: Waiting[] = []
  #rowsWaiting = 0
  #running: Promise<void> | null = null
  #closed: Promise<void> | null = null
  /** Batches that wrote, each with one fsync at most, and the commands in all batches: for metrics. */
  readonly work = { commits: 0, commands: 0 }

  constructor(runner: Runner) {
    this.#runner = runner
  }

  /** `rows` is how much work it is, roughly: messages, turns, reports. */
  ask<V extends Verb>(rows: number, verb: V, ...args: Parameters<Verbs[V]>): Promise<ReturnType<Verbs[V]>> {
    if (this.#closed !== null) return Promise.reject(new StoreError('the store is closed'))
    const most = verb === 'accept' ? MOST_ROWS_WAITING / 2 : MOST_ROWS_WAITING
    if (this.#rowsWaiting >= most) return Promise.reject(new StoreError('the store is too busy'))
    const command = [verb, ...args] as unknown as Command
    return new Promise((resolve, reject) => {
      this.#queue.push({ command, rows, resolve: resolve as (value: never) => void, reject })
      this.#rowsWaiting += rows
      this.#running ??= this.#runAll()
    })
  }

  close(): Promise<void> {
    this.#closed ??= Promise.resolve(this.#running).then(() => this.#runner.close())
    return this.#closed
  }

  async #runAll(): Promise<void> {
    await null // Calls of the same turn of the event loop are company that nobody has to wait for.
    while (this.#queue.length > 0) {
      const batch = this.#queue
      this.#queue = []
      this.#rowsWaiting = 0
      await this.#run(batch)
    }
    this.#running = null
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    const commands = batch.map((waiting) => waiting.command)
    this.work.commands += commands.length
    if (writes(commands)) this.work.commits += 1
    try {
      const answers = await this.#runner.run(commands)
      for (const [index, waiting] of batch.entries()) settle(waiting, answers[index])
    } catch (error) {
      for (const waiting of batch) waiting.reject(new StoreError('the store has stopped', { cause: error }))
    }
  }
}

function settle({ resolve, reject }: Waiting, answer: Answer | undefined): void {
  if (answer?.kind === 'done') {
    resolve(answer.value as never)
  } else if (answer?.kind === 'refused') {
    reject(new ChangeRefused(answer.sentence))
  } else {
    reject(new StoreError(answer?.reason ?? 'the store gave no answer'))
  }
}
