/**
 * Group commit: calls made while a batch is in progress form the next batch. Calls do not wait for a batch to fill, and
 * a hundred callers share one fsync. A batch is committed while the one before is brought to the disk, and is answered
 * when it is on the disk itself. The queue is bounded, and tenants take turns (command-queue.ts).
 */
import type { CommitTimer } from '../../ports/commit-timer.ts'
import { ChangeConflict, ChangeRefused, StoreError } from '../../ports/store-errors.ts'
import { CommandQueue, UnansweredRows, type WaitingCommand } from '../rows/command-queue.ts'
import { storeClosed } from '../rows/store-limits.ts'
import { tenantOf } from './command-tenant.ts'
import { type Answer, type Command, type Verb, type Verbs, writes } from './engine.ts'

/** Runs batches in this thread or another. */
export interface Runner {
  /**
   * Commits the batch and returns one answer per command; what it wrote may not be on the disk yet. Rejects if the
   * engine is gone; then the outcome is unknown. `rows` is the size of the batch.
   */
  run(batch: readonly Command[], rows: number): Promise<readonly Answer[]>
  /** Resolves once everything that was committed before is on the disk. Rejects if it may never get there. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** With short batches, this thread answers one while the next is in progress. A call with more rows goes alone. */
const MAX_ROWS_IN_BATCH = 256

/** The size of a call that shares its batch with no other. */
export const ALONE = MAX_ROWS_IN_BATCH + 1

/** They hold nothing while they wait, however many rows they may return. */
const CLAIMS: ReadonlySet<Verb> = new Set<Verb>(['claimDue', 'claimReports', 'claimReportsOf'])

interface Waiting extends WaitingCommand {
  readonly command: Command
  /** Rows that it reserves until it is answered. */
  readonly held: number
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

export class GroupCommit {
  readonly #runner: Runner
  readonly #timeCommit: CommitTimer
  readonly #queue = new CommandQueue<Waiting>()
  readonly #unanswered = new UnansweredRows()
  #running: Promise<void> | null = null
  /** The sync that is under way; null if everything that was committed is on the disk. */
  #syncing: Promise<void> | null = null
  #closed: Promise<void> | null = null
  /** Batches that wrote, each with one fsync at most, and the commands in all batches: for metrics. */
  readonly work = { commits: 0, commands: 0 }
  /** Whether something of the last writing batch could not be written. */
  isFailing = false

  constructor(runner: Runner, timeCommit: CommitTimer = () => () => {}) {
    this.#runner = runner
    this.#timeCommit = timeCommit
  }

  /** `size` is the approximate amount of work in rows: messages, turns, reports. */
  submit<V extends Verb>(size: number, verb: V, ...args: Parameters<Verbs[V]>): Promise<ReturnType<Verbs[V]>> {
    if (this.#closed !== null) return Promise.reject(storeClosed())
    const command = [verb, ...args] as unknown as Command
    const tenant = tenantOf(command)
    const rows = Math.max(1, size)
    const held = CLAIMS.has(verb) ? 1 : rows
    const refusal = this.#unanswered.take(tenant, held)
    if (refusal !== null) return Promise.reject(refusal)
    return new Promise((resolve, reject) => {
      this.#queue.push({ command, tenant, rows, held, resolve: resolve as (value: never) => void, reject })
      this.#running ??= this.#runAll()
    })
  }

  close(): Promise<void> {
    this.#closed ??= Promise.resolve(this.#running).then(() => this.#runner.close())
    return this.#closed
  }

  async #runAll(): Promise<void> {
    await null // Batches the calls of the same event loop iteration.
    do {
      while (!this.#queue.isEmpty) await this.#run(this.#queue.nextBatch(MAX_ROWS_IN_BATCH))
      await this.#syncing
    } while (!this.#queue.isEmpty)
    this.#running = null
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    const commands = batch.map((waiting) => waiting.command)
    const isWriting = writes(commands)
    this.work.commands += commands.length
    if (isWriting) this.work.commits += 1
    const committed = isWriting ? this.#timeCommit() : () => {}
    try {
      const answers = await this.#runner.run(commands, rowsOf(batch))
      if (isWriting) this.isFailing = answers.some(([kind]) => kind === 'failed')
      // What a batch of reads has seen may not be on the disk yet either.
      await this.#syncing
      if (isWriting) this.#syncing = this.#syncAndAnswer(batch, answers, committed)
      else this.#answer(batch, answers)
    } catch (error) {
      this.#fail(batch, error)
    }
  }

  async #syncAndAnswer(batch: readonly Waiting[], answers: readonly Answer[], committed: () => void): Promise<void> {
    try {
      await this.#runner.sync()
      committed()
      this.#syncing = null
      this.#answer(batch, answers)
    } catch (error) {
      this.#syncing = null
      this.#fail(batch, error)
    }
  }

  #answer(batch: readonly Waiting[], answers: readonly Answer[]): void {
    for (const { tenant, held } of batch) this.#unanswered.answered(tenant, held)
    for (const [index, waiting] of batch.entries()) settle(waiting, answers[index])
  }

  #fail(batch: readonly Waiting[], cause: unknown): void {
    this.isFailing = true
    for (const { tenant, held } of batch) this.#unanswered.answered(tenant, held)
    for (const waiting of batch) waiting.reject(new StoreError('the store has stopped', { cause }))
  }
}

function rowsOf(batch: readonly Waiting[]): number {
  return batch.reduce((sum, { rows }) => sum + rows, 0)
}

const FAILURES = { refused: ChangeRefused, overtaken: ChangeConflict, failed: StoreError } as const

function settle({ resolve, reject }: Waiting, answer: Answer = ['failed', 'the store gave no answer']): void {
  if (answer[0] === 'done') {
    resolve(answer[1] as never)
  } else {
    reject(new FAILURES[answer[0]](answer[1]))
  }
}
