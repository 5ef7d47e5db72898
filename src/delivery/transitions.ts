/**
 * The open transitions in memory: tells a message what happened, has what becomes of it written, and lets the world see it
 * only then. What happens next is decided in domain/journey alone.
 */
import { type CostOf, withCost } from '../domain/cost.ts'
import { advance } from '../domain/journey.ts'
import type { JourneyEvent } from '../domain/journey-event.ts'
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { Report } from '../domain/report.ts'
import { REPORT_LIFETIME_MS } from '../domain/report-schedule.ts'
import type { Turn } from '../domain/turn.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeliveryStore, RecordedTurn, RecordOutcome } from '../ports/delivery-store.ts'
import type { Log } from '../ports/log.ts'
import type { PendingReport } from '../ports/pending-report.ts'
import type { AddressedReceipt } from './addressed-receipt.ts'
import { BatchWriter } from './batch-writer.ts'
import type { MessageCache } from './message-cache.ts'
import { type RecordedBatch, TurnRecorder } from './turn-recorder.ts'

export interface TransitionTools {
  readonly store: DeliveryStore
  readonly cache: MessageCache
  readonly reports: ReportTaker
  readonly clock: Clock
  readonly log: Log
  readonly costOf: CostOf
}

/** What delivery knows of the reporter. */
export interface ReportTaker {
  /** Where new reports of one message are to be born. */
  placeFor(reports: readonly Report[]): ReportPlace
  take(reports: readonly PendingReport[]): void
  /** These reports wait in the store for their hooks. */
  noteParked(reports: readonly Report[]): void
  /** Reports wait in the store, due now. */
  wake(): void
}

/** With this node, or in the store: due at once for any node, or until its hook can take it. */
export type ReportPlace = 'held' | 'due' | 'parked'

export interface TransitionEffects {
  /** The turn is on disk. `held`: the message is to be tried now, by this node. */
  readonly recorded: (turn: Turn, held: boolean) => void
  /** A message that this node has in hand was changed by another one. */
  readonly changedElsewhere: (message: Message) => void
  /** A whole batch is on disk, with receipts that had come before the refs that it brought. */
  readonly batchRecorded: (earlyReceipts: readonly AddressedReceipt[]) => void
}

/** Messages asked for at once, after others have changed them. */
const MAX_RELOADED = 500

interface Reload {
  readonly id: MessageId
  readonly done: (message: Message | undefined) => void
}

export class Transitions {
  readonly #tools: TransitionTools
  readonly #handlers: TransitionEffects
  readonly #recorder: TurnRecorder
  readonly #reloads: BatchWriter<Reload>
  /** Messages that were held in a state that was refused, until it is known what becomes of them. */
  readonly #overturned = new Set<MessageId>()

  constructor(tools: TransitionTools, handlers: TransitionEffects) {
    this.#tools = tools
    this.#handlers = handlers
    this.#recorder = new TurnRecorder(tools, (recorded) => this.#recorded(recorded))
    this.#reloads = new BatchWriter(tools, 'questions for messages', MAX_RELOADED, async (batch) => {
      const messages = await tools.store.loadMessages([...new Set(batch.map(({ id }) => id))])
      const found = new Map(messages.map((message) => [message.id, message]))
      for (const { id, done } of batch) done(found.get(id))
    })
  }

  get idle(): boolean {
    return this.#recorder.idle && this.#reloads.idle
  }

  /** Turns that are not on disk yet. */
  get unrecorded(): number {
    return this.#recorder.size
  }

  /** The newest state in memory. */
  here(id: MessageId): Message | undefined {
    return this.#recorder.newest(id) ?? this.#tools.cache.get(id)
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
   * Applies an event to a message. Resolves with the message once what the event leads to is on disk, or with undefined when
   * there is no message any more. `known` is any state of it: should what is known be old, the store refuses the
   * turn and the event is told to what the store has. Never resolves when the turn was given up for the gateway stops.
   */
  async apply(
    known: Message | undefined,
    event: JourneyEvent,
    clickedCode: string | null = null,
  ): Promise<Message | undefined> {
    if (known === undefined) return undefined
    const { id } = known
    for (let message = this.#newest(known, id); message !== undefined; ) {
      const decided = advance(message, event)
      if (decided === null) {
        if (this.#overturned.delete(id)) this.#handlers.changedElsewhere(message)
        return message
      }
      const turn = withCost(decided, this.#tools.costOf)
      const held = isToBeTried(turn.message, event.at)
      const fromOtherNode = this.#recorder.newest(id) === undefined && !this.#tools.cache.holds(id)
      this.#overturned.delete(id)
      this.#tools.cache.put(turn.message, held)
      for (const { carrierId, ref, step, part } of turn.refs) {
        this.#tools.cache.learnAddress(carrierId, ref, { messageId: id, step, part })
      }
      const place = turn.reports.length === 0 ? 'held' : this.#tools.reports.placeFor(turn.reports)
      const reports = { reportsHeld: place === 'held', reportsParked: place === 'parked' }
      if (await this.#recorder.record({ turn, held, fromOtherNode, ...reports, clickedCode })) return turn.message
      const stored: Message | undefined = await new Promise((done) => this.#reloads.add({ id, done }))
      // Others who were refused with it may have gone on meanwhile: what they make of the message is the newest of it.
      message = this.#newest(stored, id)
    }
    return undefined
  }

  /** From now on a store that fails is not waited for. Resolves when turns were given up for that, if ever. */
  hurry(): Promise<void> {
    return Promise.race([this.#reloads.hurry(), this.#recorder.hurry()])
  }

  /** The same; resolves once everything is written or given up. */
  async close(): Promise<void> {
    await this.#reloads.close()
    await this.#recorder.close()
  }

  #newest(known: Message | undefined, id: MessageId): Message | undefined {
    const here = this.here(id)
    if (here === undefined || known === undefined) return here ?? known
    return known.journey.version > here.journey.version ? known : here
  }

  #recorded({ written, overturned, outcome }: RecordedBatch): void {
    for (const id of overturned) {
      if (this.#tools.cache.holds(id)) this.#overturned.add(id)
      this.#tools.cache.drop(id)
    }
    const elsewhere = new Set(outcome.elsewhere)
    for (const { turn, held: isToBeHeld } of written) {
      const { id } = turn.message
      const held = isToBeHeld && !elsewhere.has(id)
      // It goes on where it is; here it is known of only.
      if (isToBeHeld && !held && this.#recorder.newest(id) === undefined) this.#tools.cache.put(turn.message, false)
      // A newer turn of the message, on its way to the disk, decides anew whether it is to be tried.
      this.#handlers.recorded(turn, held && this.#recorder.newest(id) === undefined)
    }
    this.#passReports(written, outcome)
    this.#handlers.batchRecorded(outcome.earlyReceipts)
  }

  #passReports(written: readonly RecordedTurn[], { queuedReports }: RecordOutcome): void {
    const queued = new Set(queuedReports.map((report) => `${report.messageId} ${report.number}`))
    const createdAt = this.#tools.clock.now()
    const mine: PendingReport[] = []
    const parked: Report[] = []
    let others = false
    for (const { turn, reportsHeld, reportsParked } of written) {
      for (const report of turn.reports) {
        if (queued.has(`${report.messageId} ${report.number}`)) continue
        if (reportsHeld) mine.push({ ...report, tries: 0, createdAt, endsAt: createdAt + REPORT_LIFETIME_MS })
        else if (reportsParked === true) parked.push(report)
        else others = true
      }
    }
    if (mine.length > 0) this.#tools.reports.take(mine)
    if (parked.length > 0) this.#tools.reports.noteParked(parked)
    if (others) this.#tools.reports.wake()
  }
}

/** Whether an attempt of the step under way is to be made now. */
export function isToBeTried(message: Message, now: number): boolean {
  const { phase, dueAt } = message.journey
  return phase === 'open' && dueAt !== null && dueAt <= now
}
