/**
 * Group commit, as one lane: calls that are made while a batch is under way form the next batch, which is sent off as soon
 * as that one is answered. Nobody waits for company, and a hundred callers share one commit. What waits is bounded, over
 * all lanes of the store.
 */
import { whyNoRoom } from '../rows/store-limits.ts'
import type { AnswerOf, ArgumentOf, Command, Deed } from './deeds.ts'
import type { Engine } from './engine.ts'

/** Longer batches would keep their callers waiting for little. A call with more rows goes alone. */
const MOST_ROWS_IN_BATCH = 512

/** They hold locks that every node may want, and so are never in one transaction with messages and money. */
const SET_UP: ReadonlySet<Deed> = new Set<Deed>(['change', 'keepAnswer', 'stopHooks', 'closeMonths', 'countTraffic'])

/** What all lanes of a store carry together. */
export class Load {
  rows = 0
  /** Transactions that were asked for, and the commands in all of them: for metrics. */
  readonly work = { commits: 0, commands: 0 }
}

interface Waiting {
  readonly command: Command
  readonly rows: number
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

export class GroupCommit {
  readonly #engine: Engine
  readonly #load: Load
  readonly #queue: Waiting[] = []
  #running: Promise<void> | null = null
  /** The call that was made last: calls are answered in their order. */
  #last: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(engine: Engine, load: Load) {
    this.#engine = engine
    this.#load = load
  }

  /** `rows` is how much work it is, roughly: messages, turns, reports. */
  ask<D extends Deed>(rows: number, buckets: readonly number[], deed: D, of: ArgumentOf<D>): Promise<AnswerOf<D>> {
    const refusal = whyNoRoom(this.#closed, this.#load.rows, deed === 'accept')
    if (refusal !== null) return Promise.reject(refusal)
    const command = { deed, buckets, of } as unknown as Command
    const answer = new Promise<AnswerOf<D>>((resolve, reject) => {
      this.#queue.push({ command, rows: Math.max(1, rows), resolve: resolve as (value: never) => void, reject })
      this.#load.rows += Math.max(1, rows)
      this.#running ??= this.#runAll()
    })
    this.#last = answer.catch(() => {})
    return answer
  }

  /** Resolves once everything that was asked before is answered. */
  async reached(): Promise<void> {
    await this.#last
  }

  /** Gives back what is owed although nobody asks for anything. */
  pay(): void {
    if (this.#engine.owes && this.#running === null && !this.#closed) this.#running = this.#runAll(true)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  async #runAll(paysOnly = false): Promise<void> {
    await null // Calls of the same turn of the event loop are company that nobody has to wait for.
    if (paysOnly) await this.#run([])
    while (this.#queue.length > 0) await this.#run(this.#nextBatch())
    this.#running = null
  }

  #nextBatch(): readonly Waiting[] {
    let count = 0
    let rows = 0
    const isSetUp = this.#queue[0] !== undefined && SET_UP.has(this.#queue[0].command.deed)
    for (const waiting of this.#queue) {
      rows += waiting.rows
      if (count > 0 && (rows > MOST_ROWS_IN_BATCH || SET_UP.has(waiting.command.deed) !== isSetUp)) break
      count += 1
    }
    return this.#queue.splice(0, count)
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    this.#load.work.commits += 1
    this.#load.work.commands += batch.length
    const answers = await this.#engine.run(batch.map(({ command }) => command))
    this.#load.rows -= batch.reduce((sum, { rows }) => sum + rows, 0)
    for (const [place, { resolve, reject }] of batch.entries()) {
      const answer = answers[place]
      if (answer instanceof Error) reject(answer)
      else resolve(answer as never)
    }
  }
}
