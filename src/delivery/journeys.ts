/**
 * The open journeys in memory: tells a message what happened, has what becomes of it written, and lets the world see it
 * only then. What happens next is decided in domain/journey alone.
 */
import { type CostOf, withCost } from '../domain/cost.ts'
import { advance } from '../domain/journey.ts'
import type { JourneyEvent } from '../domain/journey-event.ts'
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { Turn } from '../domain/turn.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { PendingReport } from '../ports/pending-report.ts'
import type { RecordedTurn, RecordOutcome, Store } from '../ports/store.ts'
import type { Desk } from './desk.ts'
import type { AddressedReceipt } from './receipt.ts'
import { TurnRecorder } from './record-turns.ts'

export interface JourneysTools {
  readonly store: Store
  readonly desk: Desk
  readonly reports: ReportTaker
  readonly clock: Clock
  readonly log: Log
  readonly costOf: CostOf
}

/** What delivery knows of the reporter. */
export interface ReportTaker {
  hasRoom(count: number): boolean
  take(reports: readonly PendingReport[]): void
  /** Reports wait in the store, due now. */
  wake(): void
}

export interface JourneysHandlers {
  /** The turn is on disk. `held`: the message is to be tried now, by this node. */
  readonly recorded: (turn: Turn, held: boolean) => void
  /** A whole batch is on disk, with receipts that had come before the refs that it brought. */
  readonly batchRecorded: (overtakers: readonly AddressedReceipt[]) => void
}

export class Journeys {
  readonly #tools: JourneysTools
  readonly #handlers: JourneysHandlers
  readonly #recorder: TurnRecorder
  /** The newest state of messages whose turns are on their way to the disk, whatever the desk has room for. */
  readonly #recording = new Map<MessageId, Message>()

  constructor(tools: JourneysTools, handlers: JourneysHandlers) {
    this.#tools = tools
    this.#handlers = handlers
    this.#recorder = new TurnRecorder(tools, (batch, outcome) => this.#recorded(batch, outcome))
  }

  get idle(): boolean {
    return this.#recorder.idle
  }

  /** The newest state in memory. */
  here(id: MessageId): Message | undefined {
    return this.#recording.get(id) ?? this.#tools.desk.get(id)
  }

  /** The messages, from memory or from the store. */
  async find(ids: readonly MessageId[]): Promise<ReadonlyMap<MessageId, Message>> {
    const found = new Map<MessageId, Message>()
    const absent = new Set<MessageId>()
    for (const id of ids) {
      const message = this.here(id)
      if (message === undefined) absent.add(id)
      else found.set(id, message)
    }
    if (absent.size > 0) {
      for (const message of await this.#tools.store.loadMessages([...absent])) found.set(message.id, message)
    }
    return found
  }

  /**
   * Tells a message what happened; resolves, once what it makes of it is on disk, with the message as it is then, or with
   * undefined when there is none any more. `known` is any state of it, for when memory has none: should it be old, the
   * store refuses the turn and the event is told to what the store has.
   */
  async tell(
    known: Message | undefined,
    event: JourneyEvent,
    clickedCode: string | null = null,
  ): Promise<Message | undefined> {
    if (known === undefined) return undefined
    const { id } = known
    for (let message: Message | undefined = this.here(id) ?? known; message !== undefined; ) {
      const decided = advance(message, event)
      if (decided === null) return message
      const turn = withCost(decided, this.#tools.costOf)
      const held = isToBeTried(turn.message, event.at)
      const fromAfar = !this.#recording.has(id) && !this.#tools.desk.holds(id)
      this.#recording.set(id, turn.message)
      this.#tools.desk.put(turn.message, held)
      for (const { carrierId, ref, step, part } of turn.refs) {
        this.#tools.desk.learnAddress(carrierId, ref, { messageId: id, step, part })
      }
      const reportsHeld = this.#tools.reports.hasRoom(turn.reports.length)
      if (await this.#recorder.record({ turn, held, fromAfar, reportsHeld, clickedCode })) return turn.message
      this.#tools.desk.drop(id)
      message = (await this.find([id])).get(id)
    }
    return undefined
  }

  /** Resolves once every turn is written; from now on a store that fails is not waited for. */
  close(): Promise<void> {
    return this.#recorder.close()
  }

  #recorded(batch: readonly RecordedTurn[], outcome: RecordOutcome): void {
    const stale = new Set(outcome.stale)
    const written = batch.filter(({ turn }) => !stale.has(turn.message.id))
    for (const { turn } of batch) {
      if (this.#recording.get(turn.message.id) === turn.message) this.#recording.delete(turn.message.id)
    }
    const elsewhere = new Set(outcome.elsewhere)
    for (const { turn, held: isToBeHeld } of written) {
      const { id } = turn.message
      const held = isToBeHeld && !elsewhere.has(id)
      // It goes on where it is; here it is known of only.
      if (isToBeHeld && !held && !this.#recording.has(id)) this.#tools.desk.put(turn.message, false)
      // A newer turn of the message, on its way to the disk, decides anew whether it is to be tried.
      this.#handlers.recorded(turn, held && !this.#recording.has(turn.message.id))
    }
    this.#passReports(written, outcome)
    this.#handlers.batchRecorded(outcome.overtakers)
  }

  #passReports(written: readonly RecordedTurn[], { queuedReports }: RecordOutcome): void {
    const queued = new Set(queuedReports.map((report) => `${report.messageId} ${report.number}`))
    const createdAt = this.#tools.clock.now()
    const mine: PendingReport[] = []
    let others = false
    for (const { turn, reportsHeld } of written) {
      for (const report of turn.reports) {
        if (queued.has(`${report.messageId} ${report.number}`)) continue
        if (reportsHeld) mine.push({ ...report, tries: 0, createdAt })
        else others = true
      }
    }
    if (mine.length > 0) this.#tools.reports.take(mine)
    if (others) this.#tools.reports.wake()
  }
}

/** Whether an attempt of the step under way is to be made now. */
function isToBeTried(message: Message, now: number): boolean {
  const { phase, dueAt } = message.journey
  return phase === 'open' && dueAt !== null && dueAt <= now
}
