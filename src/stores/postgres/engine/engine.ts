/**
 * The engine of a lane: runs each batch of commands in one transaction under the leases of its node. A batch that the
 * database could not take, or whose commit was not acknowledged, is run again under the same number, which shows
 * whether it was written already. Never throws.
 */

import { StoreError } from '../../../ports/records/store-errors.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import type { Connection } from '../connection/connection.ts'
import { judgeStatementFailure } from '../connection/judge-failure.ts'
import type { LastingConnection } from '../connection/lasting-connection.ts'
import { LeaseLost } from '../connection/lease-lost.ts'
import { Outage, type Patience } from '../connection/outage.ts'
import { inBucket } from '../connection/statement.ts'
import type { Acknowledged } from '../session/acknowledged.ts'
import { Session, type SessionTools } from '../session/session.ts'
import { accountsOf, COMMANDS, type CommandName, type EngineCommand } from './commands.ts'
import { PendingReleases } from './pending-releases.ts'

/** Waits for transactions of the node in the bucket on a connection that it lost. */
const LAST_BATCH = inBucket<[batch: number]>('SELECT batch FROM lease WHERE bucket = $1 AND node = $2 FOR UPDATE')

/** A server that stops answering in the middle of a batch is given up after this time; a long change has it anew. */
const BATCH_WITHIN_MS = 4_000

/** How often conflicting transactions are retried at once. */
const MAX_COLLISIONS = 8

/** The server did not answer in time: it is away, or the batch was too large for it. */
export class TookTooLong extends Error {
  constructor() {
    super('the database does not answer')
  }
}

export interface EngineTools extends SessionTools {
  readonly acknowledged: Acknowledged
  readonly lasting: LastingConnection
  readonly clock: Clock
  /** How long a batch waits while the database is unavailable. */
  readonly patienceMs: number
  /** Pending releases were written: messages may be due. */
  readonly onDue: () => void
  /** Another node took over from this one: it writes nothing any more. */
  readonly onLost: (reason: string) => void
}

interface Attempted {
  readonly batch: readonly EngineCommand[]
  readonly number: number
  readonly patience: Patience
  /** All answers, once the commit was sent: until it is acknowledged, its outcome is unknown. */
  answers: readonly unknown[] | null
  session: Session | null
}

export class Engine {
  readonly #tools: EngineTools
  readonly #pendingReleases = new PendingReleases()
  readonly #outage: Outage
  #batches = 0

  constructor(tools: EngineTools) {
    this.#tools = tools
    this.#outage = new Outage(tools.clock, tools.patienceMs)
  }

  /** Whether messages or reports must be released as soon as the database is available. */
  get hasPendingReleases(): boolean {
    return !this.#pendingReleases.isEmpty
  }

  /** Returns one answer per command, in their order; an Error if nothing was written or the outcome is unknown. */
  async run(commands: readonly EngineCommand[]): Promise<readonly unknown[]> {
    const released = this.#pendingReleases.take()
    const answers = await this.#runWhole([...released, ...commands])
    if (released.length > 0 && this.#pendingReleases.isEmpty) this.#tools.onDue()
    return answers.slice(released.length)
  }

  async #runWhole(batch: readonly EngineCommand[]): Promise<readonly unknown[]> {
    this.#batches += 1
    const patience = this.#outage.begin()
    const attempted: Attempted = { batch, number: this.#batches, patience, answers: null, session: null }
    for (let collisions = 0; ; ) {
      try {
        const answers = await this.#transact(attempted)
        this.#outage.over()
        this.#tools.acknowledged.noteBatch(bucketsOf(batch), attempted.number)
        attempted.session?.announce()
        return answers
      } catch (error) {
        const judgement = error instanceof LeaseLost ? 'lost' : judgeStatementFailure(error)
        if (judgement === 'command' && batch.length > 1) return this.#runEach(batch)
        if (judgement === 'again' && collisions < MAX_COLLISIONS) {
          collisions += 1
          continue
        }
        if (judgement === 'lost') this.#tools.onLost(await this.#whyLost(batch))
        if (judgement === 'command' || judgement === 'lost' || !(await patience.wait())) {
          return this.#giveUp(attempted, error)
        }
      }
    }
  }

  async #whyLost(batch: readonly EngineCommand[]): Promise<string> {
    const { acknowledged, lasting } = this.#tools
    const explained = lasting.connection().then((connection) => acknowledged.explain(connection, bucketsOf(batch)))
    return (await explained.catch(() => new LeaseLost())).message
  }

  /** Retries each command alone, because one of them caused the failure. */
  async #runEach(batch: readonly EngineCommand[]): Promise<readonly unknown[]> {
    const answers: unknown[] = []
    for (const command of batch) answers.push(...(await this.#runWhole([command])))
    return answers
  }

  #giveUp({ batch, answers, session }: Attempted, error: unknown): readonly unknown[] {
    this.#pendingReleases.add(batch, answers)
    if (answers !== null) session?.announce()
    const reason = error instanceof Error ? error.message : String(error)
    const failed = new StoreError(answers === null ? reason : `${reason}; it may have been written`, { cause: error })
    return batch.map(() => failed)
  }

  /** Rejects with the first failure and rolls back. */
  async #transact(attempted: Attempted): Promise<readonly unknown[]> {
    const { lasting, clock } = this.#tools
    const connection = await lasting.connection()
    const silent = new TookTooLong()
    let isSilent = false
    const limitMs = attempted.patience.limitOf(BATCH_WITHIN_MS)
    const watch = () =>
      clock.after(limitMs, () => {
        isSilent = true
        connection.destroy(silent)
      })
    let cancel = watch()
    const onProgress = () => {
      cancel()
      cancel = watch()
    }
    try {
      const isWritten = attempted.answers !== null && (await this.#isWritten(connection, attempted))
      if (!isWritten) await this.#write(new Session(connection, this.#tools, onProgress), connection, attempted)
      else await afterCommit(attempted.session, connection)
      return attempted.answers ?? []
    } catch (error) {
      if (judgeStatementFailure(error) === 'away') connection.destroy(error)
      throw isSilent ? silent : error
    } finally {
      cancel()
    }
  }

  async #write(session: Session, connection: Connection, attempted: Attempted): Promise<void> {
    const { batch, number } = attempted
    attempted.answers = null
    try {
      session.begin(bucketsOf(batch), number)
      // Of all stages together: locking stage by stage could deadlock.
      session.ledger.lock(batch.flatMap(accountsOf)).catch(() => {})
      const answers = await runStages(batch, session)
      await session.ledger.flush()
      session.totals.write(session)
      attempted.session = session
      attempted.answers = answers
      // Statements after the commit are sent behind it, without waiting for its answer.
      await Promise.all([session.commit(), afterCommit(session, connection)])
      connection.countBatch()
    } catch (error) {
      if (session.isCommitted) throw error
      const first = await session.rollBack()
      // On a living connection it is certain that nothing was written.
      if (!connection.isBroken) attempted.answers = null
      throw first ?? error
    }
  }

  /** Of a batch whose commit was sent but not acknowledged. */
  async #isWritten(connection: Connection, { batch, number }: Attempted): Promise<boolean> {
    const [last] = await connection.query(LAST_BATCH, bucketsOf(batch)[0] ?? 0, this.#tools.node)
    if (last === undefined) throw new LeaseLost()
    return last[0] === number
  }
}

/** The commit does not depend on it: StrandedReceipts finds early receipts that are missed here. */
async function afterCommit(session: Session | null, connection: Connection): Promise<void> {
  await Promise.allSettled((session?.afterCommit ?? []).map((work) => work(connection)))
}

function bucketsOf(batch: readonly EngineCommand[]): readonly number[] {
  return [...new Set(batch.flatMap((command) => command.buckets))].sort((a, b) => a - b)
}

/** Returns the answers in command order, whatever the order of the stages. */
async function runStages(batch: readonly EngineCommand[], session: Session): Promise<readonly unknown[]> {
  const answers: unknown[] = []
  for (const { name, places } of planStages(batch)) {
    const run = COMMANDS[name] as (session: Session, of: readonly unknown[]) => Promise<readonly unknown[]>
    const answered = await run(
      session,
      places.map((place) => batch[place]?.of),
    )
    for (const [index, place] of places.entries()) answers[place] = answered[index]
  }
  return answers
}

/**
 * Groups the commands of a batch into stages. Commands of one kind share their statements, but none overtakes a command
 * that may concern the same rows, so that calls take effect in order.
 */
interface Stage {
  readonly name: CommandName
  /** Indexes of its commands in the batch. */
  readonly places: number[]
}

/** The order of these does not matter: no other command in progress concerns their rows. */
const FREE: ReadonlySet<CommandName> = new Set<CommandName>(['accept', 'countClicks', 'recordInbound'])

function planStages(batch: readonly EngineCommand[]): readonly Stage[] {
  const stages: Stage[] = []
  for (const [place, { name }] of batch.entries()) {
    const last = stages.findLastIndex((stage) => stage.name === name)
    const mayJoin = last >= 0 && (FREE.has(name) || stages.slice(last + 1).every((stage) => FREE.has(stage.name)))
    if (mayJoin) stages[last]?.places.push(place)
    else stages.push({ name, places: [place] })
  }
  return stages
}
