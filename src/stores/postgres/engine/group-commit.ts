/**
 * Group commit of one lane: calls made while a batch is in progress form the next batch, which is sent as soon as that
 * one is answered. Calls do not wait for a batch to fill, and a hundred callers share one commit. The queue is bounded
 * over all lanes of the store, and tenants take turns (command-queue.ts).
 */
import type { CommitTimer } from '../../../ports/records/commit-timer.ts'
import { CommandQueue, UnansweredRows, type WaitingCommand } from '../../rows/queues/command-queue.ts'
import { storeClosed } from '../../rows/setup/store-limits.ts'
import { type AnswerOf, type ArgumentOf, type CommandName, commandTenant, type EngineCommand } from './commands.ts'
import { type Engine, TookTooLong } from './engine.ts'

/** Longer batches would delay their callers without gain. A call with more rows goes alone. */
const MAX_ROWS_IN_BATCH = 512
/**
 * A batch that the server does not take in time is rolled back as a whole. The next ones are then half as large, and
 * larger with each success by as much as the smallest.
 */
const MIN_ROWS_IN_BATCH = 16

/** These take locks that every node may need, so they never share a transaction with messages and money. */
const SET_UP: ReadonlySet<CommandName> = new Set<CommandName>([
  'change',
  'keepAnswer',
  'stopHooks',
  'closeMonths',
  'countTraffic',
])

/** The load of all lanes of a store. */
export class Load {
  readonly unanswered = new UnansweredRows()
  /** Transactions started, and the commands in them: for metrics. */
  readonly work = { commits: 0, commands: 0 }
  readonly timeCommit: CommitTimer

  constructor(timeCommit: CommitTimer = () => () => {}) {
    this.timeCommit = timeCommit
  }
}

interface Waiting extends WaitingCommand {
  readonly command: EngineCommand
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

/** Runs one batch at a time. */
export type BatchEngine = Pick<Engine, 'run' | 'hasPendingReleases'>

export class GroupCommit {
  readonly #engine: BatchEngine
  readonly #load: Load
  readonly #queue = new CommandQueue<Waiting>()
  #maxRows = MAX_ROWS_IN_BATCH
  #running: Promise<void> | null = null
  /** The last call of each tenant with unanswered ones: calls of one tenant are answered in order. */
  readonly #last = new Map<number, Promise<unknown>>()
  #closed = false

  constructor(engine: BatchEngine, load: Load) {
    this.#engine = engine
    this.#load = load
  }

  /** `rows` is the approximate amount of work: messages, turns, reports. */
  submit<D extends CommandName>(
    rows: number,
    buckets: readonly number[],
    name: D,
    of: ArgumentOf<D>,
  ): Promise<AnswerOf<D>> {
    if (this.#closed) return Promise.reject(storeClosed())
    const command = { name, buckets, of } as unknown as EngineCommand
    const waiting = { command, tenant: commandTenant(command), rows: Math.max(1, rows) }
    const refusal = this.#load.unanswered.take(waiting.tenant, waiting.rows)
    if (refusal !== null) return Promise.reject(refusal)
    const answer = new Promise<AnswerOf<D>>((resolve, reject) => {
      this.#queue.push({ ...waiting, resolve: resolve as (value: never) => void, reject })
      this.#running ??= this.#runAll()
    })
    this.#rememberLast(waiting.tenant, answer)
    return answer
  }

  /** Resolves once everything requested before, by this tenant or by all, is answered. */
  async reached(tenant?: number): Promise<void> {
    await (tenant === undefined ? Promise.all(this.#last.values()) : this.#last.get(tenant))
  }

  #rememberLast(tenant: number, answer: Promise<unknown>): void {
    const forget = () => {
      if (this.#last.get(tenant) === settled) this.#last.delete(tenant)
    }
    const settled: Promise<unknown> = answer.then(forget, forget)
    this.#last.set(tenant, settled)
  }

  /** Writes pending releases without waiting for a command. */
  writeReleases(): void {
    if (this.#engine.hasPendingReleases && this.#running === null && !this.#closed) this.#running = this.#runAll(true)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  async #runAll(releasesOnly = false): Promise<void> {
    await null // Batches the calls of the same event loop iteration.
    if (releasesOnly) await this.#run([])
    let answer: (() => void) | null = null
    while (!this.#queue.isEmpty) {
      const batch = this.#queue.nextBatch(this.#maxRows, mayShare)
      const running = this.#run(batch)
      // The server begins with this batch while the callers of the one before are answered.
      if (answer !== null) await written()
      answer?.()
      const answers = await running
      answer = () => this.#answer(batch, answers)
    }
    answer?.()
    this.#running = null
  }

  async #run(batch: readonly Waiting[]): Promise<readonly unknown[]> {
    this.#load.work.commits += 1
    this.#load.work.commands += batch.length
    const committed = this.#load.timeCommit()
    const answers = await this.#engine.run(batch.map(({ command }) => command))
    committed()
    const wasTooSlow = answers.some((answer) => answer instanceof Error && answer.cause instanceof TookTooLong)
    this.#maxRows = wasTooSlow
      ? Math.max(MIN_ROWS_IN_BATCH, this.#maxRows >> 1)
      : Math.min(MAX_ROWS_IN_BATCH, this.#maxRows + MIN_ROWS_IN_BATCH)
    return answers
  }

  #answer(batch: readonly Waiting[], answers: readonly unknown[]): void {
    for (const { tenant, rows } of batch) this.#load.unanswered.answered(tenant, rows)
    for (const [place, { resolve, reject }] of batch.entries()) {
      const answer = answers[place]
      if (answer instanceof Error) reject(answer)
      else resolve(answer as never)
    }
  }
}

/** Resolves once the statements that are sent in this turn of the event loop are written (link.ts). */
function written(): Promise<void> {
  return new Promise((resolve) => process.nextTick(() => process.nextTick(resolve)))
}

function mayShare(first: Waiting, next: Waiting): boolean {
  return SET_UP.has(first.command.name) === SET_UP.has(next.command.name)
}
