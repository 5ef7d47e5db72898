/**
 * Group commit: calls made while a batch is in progress form the next batch. Calls do not wait for a batch to fill, and
 * a hundred callers share one fsync. Once enough calls wait, the next batch is sent before the current one is answered,
 * so that the engine need not wait for this thread. A batch is committed while the one before is brought to the disk,
 * and is answered, in order, when it is on the disk itself. The queue is bounded, and tenants take turns
 * (command-queue.ts).
 */
import type { CommitTimer } from '../../../ports/records/commit-timer.ts'
import { ChangeConflict, ChangeRefused, StoreError } from '../../../ports/records/store-errors.ts'
import { CommandQueue, UnansweredRows, type WaitingCommand } from '../../rows/queues/command-queue.ts'
import { storeClosed } from '../../rows/setup/store-limits.ts'
import { commandTenant } from './command-tenant.ts'
import { type CommandOutcome, type EngineCommand, type Verb, type Verbs, writes } from './engine.ts'

/** Runs batches in this thread or another. */
export interface Runner {
  /**
   * Commits the batch, after those before it, and returns one answer per command; what it wrote may not be on the disk
   * yet. Rejects if the engine is gone; then the outcome is unknown. `rows` is the size of the batch.
   */
  run(batch: readonly EngineCommand[], rows: number): Promise<readonly CommandOutcome[]>
  /** Resolves once everything that was committed before is on the disk. Rejects if it may never get there. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** Rows at the engine: a command that comes while it works waits for no more. A call with more rows goes alone. */
const MAX_ROWS = 512

/** Rows of one batch, so that another finds room beside it: otherwise the engine waits until this thread answers. */
const MAX_BATCH_ROWS = MAX_ROWS / 2

/** While the engine works, the next batch is sent once it has so many rows: fewer would cost more than they gain. */
const EARLY_ROWS = 64

/** While one batch is brought to the disk, one more may be committed, and one may wait for the engine. */
const MAX_BATCHES = 3

/** The size of a call that shares its batch with no other. */
export const ALONE = MAX_ROWS + 1

/** They hold nothing while they wait, and count as a batch at most: few return as many rows as they may. */
const CLAIMS: ReadonlySet<Verb> = new Set<Verb>(['claimDue', 'claimReports', 'claimReportsOf'])

interface Waiting extends WaitingCommand {
  readonly verb: Verb
  /** Returns the arguments of the command. */
  readonly argsOf: () => readonly unknown[]
  /** Rows that it reserves until it is answered. */
  readonly held: number
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

export class GroupCommit {
  readonly #runner: Runner
  readonly #timeCommit: CommitTimer
  readonly #queue = new CommandQueue<Waiting>()
  readonly #unanswered = new UnansweredRows()
  /** At the runner, which has not answered them yet: at most two batches. */
  readonly #running = { batches: 0, rows: 0 }
  /** Batches whose callers have no answer yet. */
  #batches = 0
  /** Resolves once all batches up to now are answered. */
  #answered: Promise<void> = Promise.resolve()
  #willSend = false
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
    const tenant = commandTenant([verb, ...args] as unknown as EngineCommand)
    return this.submitLate({ size, tenant, verb }, () => args)
  }

  /**
   * The same for a command whose arguments are made when its batch is sent: they take more memory than what they are
   * made of, and making those of a batch one after the other takes less time.
   */
  submitLate<V extends Verb>(
    { size, tenant, verb }: { readonly size: number; readonly tenant: number; readonly verb: V },
    argsOf: () => Parameters<Verbs[V]>,
  ): Promise<ReturnType<Verbs[V]>> {
    if (this.#closed !== null) return Promise.reject(storeClosed())
    const isClaim = CLAIMS.has(verb)
    const rows = Math.max(1, isClaim ? Math.min(size, MAX_BATCH_ROWS) : size)
    const held = isClaim ? 1 : rows
    const refusal = this.#unanswered.take(tenant, held)
    if (refusal !== null) return Promise.reject(refusal)
    return new Promise((resolve, reject) => {
      this.#queue.push({ verb, argsOf, tenant, rows, held, resolve: resolve as (value: never) => void, reject })
      this.#sendSoon()
    })
  }

  close(): Promise<void> {
    this.#closed ??= this.#drain().then(() => this.#runner.close())
    return this.#closed
  }

  async #drain(): Promise<void> {
    while (this.#batches > 0 || !this.#queue.isEmpty) await this.#answered
  }

  /** Batches the calls that are made until the next microtask. */
  #sendSoon(): void {
    if (this.#willSend) return
    this.#willSend = true
    queueMicrotask(() => {
      this.#willSend = false
      this.#send()
    })
  }

  #send(): void {
    for (let room = this.#room; room > 0; room = this.#room) {
      this.#answered = this.#run(this.#queue.nextBatch(room), this.#answered)
    }
  }

  /** The rows that a batch may have now; 0 if none is sent. */
  get #room(): number {
    const next = this.#queue.first
    const { batches, rows } = this.#running
    if (next === undefined) return 0
    if (batches === 0) return this.#batches < MAX_BATCHES - 1 ? MAX_BATCH_ROWS : 0
    const room = MAX_ROWS - rows
    const isEarly = batches === 1 && this.#batches < MAX_BATCHES && Math.min(room, this.#queue.rows) >= EARLY_ROWS
    return isEarly && next.rows <= room ? Math.min(room, MAX_BATCH_ROWS) : 0
  }

  async #run(taken: readonly Waiting[], before: Promise<void>): Promise<void> {
    this.#batches += 1
    const { batch, commands } = this.#commandsOf(taken)
    try {
      const isWriting = writes(commands)
      this.work.commands += commands.length
      if (isWriting) this.work.commits += 1
      const committed = isWriting ? this.#timeCommit() : () => {}
      const answers = await this.#execute(commands, rowsOf(batch))
      if (isWriting) this.isFailing = answers.some(([kind]) => kind === 'failed')
      // What a batch of reads has seen may not be on the disk yet either.
      await before
      if (isWriting) await this.#runner.sync()
      committed()
      this.#answer(batch, answers)
    } catch (error) {
      await before
      this.#fail(batch, error)
    }
    this.#batches -= 1
    this.#send()
  }

  /** Rejects a command whose arguments cannot be made: the others of its batch go without it. */
  #commandsOf(taken: readonly Waiting[]): {
    readonly batch: readonly Waiting[]
    readonly commands: readonly EngineCommand[]
  } {
    const batch: Waiting[] = []
    const commands: EngineCommand[] = []
    for (const waiting of taken) {
      try {
        commands.push([waiting.verb, ...waiting.argsOf()] as unknown as EngineCommand)
        batch.push(waiting)
      } catch (error) {
        this.#unanswered.answered(waiting.tenant, waiting.held)
        waiting.reject(error)
      }
    }
    return { batch, commands }
  }

  async #execute(commands: readonly EngineCommand[], rows: number): Promise<readonly CommandOutcome[]> {
    this.#running.batches += 1
    this.#running.rows += rows
    try {
      return await this.#runner.run(commands, rows)
    } finally {
      this.#running.batches -= 1
      this.#running.rows -= rows
      this.#send()
    }
  }

  #answer(batch: readonly Waiting[], answers: readonly CommandOutcome[]): void {
    for (const { tenant, held } of batch) this.#unanswered.answered(tenant, held)
    batch.forEach((waiting, index) => {
      settle(waiting, answers[index])
    })
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

function settle({ resolve, reject }: Waiting, answer: CommandOutcome = ['failed', 'the store gave no answer']): void {
  if (answer[0] === 'done') {
    resolve(answer[1] as never)
  } else {
    reject(new FAILURES[answer[0]](answer[1]))
  }
}
