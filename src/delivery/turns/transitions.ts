/**
 * Applies events to messages: domain/journey decides the turn, the recorder writes it, and its effects begin only once
 * it is on disk.
 */
import type { Directory } from '../../domain/directory/directory.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import { advance } from '../../domain/journey/journey.ts'
import type { Turn } from '../../domain/journey/turn.ts'
import { withCost } from '../../domain/journey/turn-cost.ts'
import type { JourneyEvent } from '../../domain/message/journey-event.ts'
import { expectsNothing, type Message } from '../../domain/message/message.ts'
import type { CostOf } from '../../domain/money/cost.ts'
import { type HooksOf, hookIdOf, type Listeners, NO_LISTENERS } from '../../domain/reports/client-hook.ts'
import { isFeed } from '../../domain/reports/event-feed.ts'
import { type Report, reportId } from '../../domain/reports/report.ts'
import { reportLifetimeOf } from '../../domain/reports/report-schedule.ts'
import type { EarlyReceipt } from '../../ports/carriers/receipt-address.ts'
import type { PendingReport } from '../../ports/records/pending-report.ts'
import type { DeliveryStore, RecordedTurn, RecordOutcome, ReportPlace } from '../../ports/stores/delivery-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import { BatchWriter } from '../queues/batch-writer.ts'
import type { MessageCache } from './message-cache.ts'
import { type RecordedBatch, TurnRecorder } from './turn-recorder.ts'

export interface TransitionTools {
  readonly store: DeliveryStore
  readonly cache: MessageCache
  readonly reports: ReportTaker
  readonly clock: Clock
  readonly log: Log
  readonly costOf: CostOf
  readonly directory: () => Directory
  readonly hooksOf: HooksOf
}

/** The reporter, as the pump uses it. */
export interface ReportTaker {
  /** Decides where the new reports of one message to one hook go. */
  placeFor(reports: readonly Report[]): ReportPlace
  take(reports: readonly PendingReport[]): void
  /** Notes that these reports wait in the store for their hooks. */
  noteParked(reports: readonly Report[]): void
  /** Checks the store for due reports. */
  wake(): void
}

export interface TransitionEffects {
  /** Called once a turn is on disk. `held`: this node must try the message now. */
  readonly recorded: (turn: Turn, held: boolean) => void
  /** Called when another node has changed a message that this node holds. */
  readonly changedElsewhere: (message: Message) => void
  /** Called once a batch is on disk, with the early receipts of its refs. */
  readonly batchRecorded: (earlyReceipts: readonly EarlyReceipt[]) => void
}

/** Maximum of messages read at once after other nodes have changed them. */
const MAX_RELOADED = 500

/** Gets the message once an event is applied to it; undefined if the message no longer exists. */
/** `turn`: of this event, on disk; undefined if the event changed nothing. */
type Applied = (message: Message | undefined, turn?: Turn) => void

const IGNORED: Applied = () => {}

interface Reload {
  readonly id: MessageId
  readonly done: (message: Message | undefined) => void
}

export class Transitions {
  readonly #tools: TransitionTools
  readonly #handlers: TransitionEffects
  readonly #recorder: TurnRecorder
  readonly #reloads: BatchWriter<Reload>
  /** Held messages whose turn was refused as stale, until their next one is decided. */
  readonly #overturned = new Set<MessageId>()

  constructor(tools: TransitionTools, handlers: TransitionEffects) {
    this.#tools = tools
    this.#handlers = handlers
    this.#recorder = new TurnRecorder(tools, (recorded) => this.#recorded(recorded))
    this.#reloads = new BatchWriter(tools, 'reads of messages', MAX_RELOADED, async (batch) => {
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

  /** Returns the newest state in memory. */
  here(id: MessageId): Message | undefined {
    return this.#recorder.newest(id) ?? this.#tools.cache.get(id)
  }

  /** Returns the messages in the order asked, from memory or from the store; undefined for those that do not exist. */
  async find(ids: readonly MessageId[]): Promise<readonly (Message | undefined)[]> {
    const found = ids.map((id) => this.here(id))
    const absent = ids.filter((_, index) => found[index] === undefined)
    if (absent.length === 0) return found
    const stored = await this.#tools.store.loadMessages([...new Set(absent)])
    const loaded = new Map(stored.map((message) => [message.id, message]))
    return ids.map((id, index) => found[index] ?? loaded.get(id))
  }

  /** As `applyThen`; resolves with what `done` would get. */
  apply(known: Message | undefined, event: JourneyEvent, clickedCode?: string): Promise<Message | undefined> {
    return new Promise((done) => this.applyThen(known, event, done, clickedCode))
  }

  /**
   * Applies an event to a message. Calls `done` with the message once the turn is on disk, or with undefined if the
   * message no longer exists. `known` is any state of it: if that is old, the store refuses the turn and the event is
   * applied to the stored state. Never calls `done` if the turn was given up because the gateway is stopping. Takes a
   * function, because a promise for each of a message's turns costs more than the rest of this class.
   */
  applyThen(
    known: Message | undefined,
    event: JourneyEvent,
    done: Applied = IGNORED,
    clickedCode: string | null = null,
  ): void {
    const message = known === undefined ? undefined : this.#newest(known, known.id)
    if (message === undefined) {
      done(undefined)
      return
    }
    const decided = advance(message, event, this.#listenersOf(message))
    if (decided === null) {
      void this.#applyNothing(message, event, done, clickedCode)
      return
    }
    const turn = withCost(decided, event.at, this.#tools.costOf)
    this.#recorder.record(this.#toRecord(turn, event.at, clickedCode), (isWritten) => {
      if (isWritten) done(turn.message, turn)
      else void this.#applyAgain(turn.message.id, event, done, clickedCode)
    })
  }

  /** For an event that changes nothing. */
  async #applyNothing(message: Message, event: JourneyEvent, done: Applied, clickedCode: string | null): Promise<void> {
    const { id } = message
    // The state that says so may be refused yet, for another node may have decided otherwise.
    const isWritten = await (this.#recorder.untilWritten(id) ?? true)
    if (!isWritten) {
      await this.#applyAgain(id, event, done, clickedCode)
      return
    }
    if (this.#overturned.delete(id)) this.#handlers.changedElsewhere(message)
    done(message)
  }

  /** For an event whose turn was refused. Another call that was refused too may have made a newer turn since. */
  async #applyAgain(id: MessageId, event: JourneyEvent, done: Applied, clickedCode: string | null): Promise<void> {
    this.applyThen(this.#newest(await this.reload(id), id), event, done, clickedCode)
  }

  /** Takes the turn into memory. */
  #toRecord(turn: Turn, at: number, clickedCode: string | null): RecordedTurn {
    const { message, refs, reports } = turn
    const { id } = message
    const { cache } = this.#tools
    const held = isToBeTried(message, at)
    const fromOtherNode = this.#recorder.newest(id) === undefined && !cache.holds(id)
    this.#overturned.delete(id)
    cache.put(message, held)
    for (const { carrierId, ref, step, part } of refs) cache.learnAddress(carrierId, ref, { messageId: id, step, part })
    const places = this.#placesOf(reports)
    return { turn, held, fromOtherNode, reportsHeld: places.every(isHeld), places, clickedCode }
  }

  /** Gives up turns whose write fails from now on. Resolves once one was given up, if ever. */
  hurry(): Promise<void> {
    return Promise.race([this.#reloads.hurry(), this.#recorder.hurry()])
  }

  /** As `hurry`, but resolves once every turn is written or given up. */
  async close(): Promise<void> {
    await this.#reloads.close()
    await this.#recorder.close()
  }

  /** Returns the stored state; undefined if the message no longer exists. */
  reload(id: MessageId): Promise<Message | undefined> {
    return new Promise((done) => this.#reloads.add({ id, done }))
  }

  #newest(known: Message | undefined, id: MessageId): Message | undefined {
    const here = this.here(id)
    if (here === undefined || known === undefined) return here ?? known
    return known.journey.version > here.journey.version ? known : here
  }

  /** Tests of carriers are not the client's. */
  #listenersOf({ accountId, journey }: Message): Listeners {
    if (journey.testedCarrier !== undefined) return NO_LISTENERS
    const { hooks } = this.#tools.hooksOf(accountId)
    if (hooks.length === 0) return NO_LISTENERS
    return { defaultHook: this.#tools.directory().account(accountId)?.settings.defaultHook ?? null, hooks }
  }

  /** Each hook has a place of its own, so that one that is down holds up no other. */
  #placesOf(reports: readonly Report[]): readonly ReportPlace[] {
    if (reports.length === 0) return NO_PLACES
    const [only] = reports
    if (reports.length === 1 && only !== undefined) {
      return [isPosted(only) ? this.#tools.reports.placeFor(reports) : 'held']
    }
    const places = new Map<number, ReportPlace>()
    for (const [hookId, ofHook] of Map.groupBy(reports.filter(isPosted), ({ number }) => hookIdOf(number))) {
      places.set(hookId, this.#tools.reports.placeFor(ofHook))
    }
    return reports.map((report) => (isPosted(report) ? (places.get(hookIdOf(report.number)) ?? 'due') : 'held'))
  }

  #recorded({ written, overturned, outcome }: RecordedBatch): void {
    for (const id of overturned) {
      if (this.#tools.cache.holds(id)) this.#overturned.add(id)
      this.#tools.cache.drop(id)
    }
    const elsewhere = outcome.elsewhere.length === 0 ? null : new Set(outcome.elsewhere)
    for (const { turn, held: isToBeHeld } of written) {
      const { id } = turn.message
      const held = isToBeHeld && elsewhere?.has(id) !== true
      if (this.#recorder.newest(id) === undefined) {
        if (expectsNothing(turn.message)) this.#tools.cache.drop(id)
        // Another node holds it; here it is only kept.
        else if (isToBeHeld && !held) this.#tools.cache.put(turn.message, false)
      }
      // A newer turn that is not written yet decides whether it is tried.
      this.#handlers.recorded(turn, held && this.#recorder.newest(id) === undefined)
    }
    this.#passReports(written, outcome)
    this.#handlers.batchRecorded(outcome.earlyReceipts)
  }

  #passReports(written: readonly RecordedTurn[], { queuedReports }: RecordOutcome): void {
    const queued = queuedReports.length === 0 ? null : new Set(queuedReports.map(reportId))
    const createdAt = this.#tools.clock.now()
    const mine: PendingReport[] = []
    const parked: Report[] = []
    let others = false
    for (const { turn, places = NO_PLACES } of written) {
      const { reports, message } = turn
      for (let index = 0; index < reports.length; index += 1) {
        const report = reports[index] as Report
        if (!isPosted(report) || queued?.has(reportId(report)) === true) continue
        if (places[index] === 'held') mine.push(toPending(report, createdAt, message.journey.trace))
        else if (places[index] === 'parked') parked.push(report)
        else others = true
      }
    }
    if (mine.length > 0) this.#tools.reports.take(mine)
    if (parked.length > 0) this.#tools.reports.noteParked(parked)
    if (others) this.#tools.reports.wake()
  }
}

const NO_PLACES: readonly ReportPlace[] = []

function isHeld(place: ReportPlace): boolean {
  return place === 'held'
}

function toPending(report: Report, createdAt: number, trace: string | undefined): PendingReport {
  const { messageId, accountId, number, address, body } = report
  const endsAt = createdAt + reportLifetimeOf(address)
  const pending = { messageId, accountId, number, address, body, tries: 0, createdAt, endsAt }
  return trace === undefined ? pending : { ...pending, trace }
}

/** Events of a feed wait in the store until the client reads them. */
function isPosted({ address }: Report): boolean {
  return !isFeed(address)
}

/** Whether the current step must be attempted now. */
export function isToBeTried(message: Message, now: number): boolean {
  const { phase, dueAt } = message.journey
  return phase === 'open' && dueAt !== null && dueAt <= now
}
