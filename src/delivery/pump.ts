/**
 * The pump: moves every open message from station to station. It takes what was just accepted, claims what is due or
 * was left by a vanished node, gives messages to the lanes of their carriers, tells the journey what came of it, and
 * does what a turn asks for only after that turn is on disk. What happens next is decided in domain/journey alone.
 */
import { CHANNELS, type Channel } from '../domain/channel.ts'
import type { Directory } from '../domain/directory.ts'
import { advance, type JourneyEvent, type Turn, waitAfter } from '../domain/journey.ts'
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { Carrier, CarrierReceipt } from '../ports/carrier.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Lookup } from '../ports/lookup.ts'
import type { Outbox } from '../ports/outbox.ts'
import type { Random } from '../ports/random.ts'
import type { PendingReport, ReceiptAddress, RecordedTurn, RecordOutcome, Store } from '../ports/store.ts'
import { attempt, openParts } from './attempt.ts'
import { Callers } from './callers.ts'
import type { CarrierFleet } from './carrier-fleet.ts'
import { channelOf, Desk } from './desk.ts'
import { type Claimed, DueWatch } from './due-watch.ts'
import { Lane, type LaneEntry } from './lane.ts'
import type { AddressedReceipt } from './receipt.ts'
import { TurnRecorder } from './record-turns.ts'

export interface PumpTools {
  readonly store: Store
  readonly fleet: CarrierFleet
  readonly reports: ReportTaker
  readonly directory: () => Directory
  readonly lookup: Lookup
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Hears of every turn that is on disk: for metrics. */
  readonly onTurn: (turn: Turn) => void
}

/** What the pump knows of the reporter. */
export interface ReportTaker {
  hasRoom(count: number): boolean
  take(reports: readonly PendingReport[]): void
  /** Reports wait in the store, due now. */
  wake(): void
}

export interface PumpLimits {
  /** Messages held in memory, per channel. */
  readonly mostHeld: number
  /** Messages kept in memory for their receipts. */
  readonly mostKept: number
}

/** Messages of one claim. */
const CLAIM_MOST = 500

export class Pump implements Outbox {
  readonly #tools: PumpTools
  readonly #limits: PumpLimits
  readonly #desk: Desk
  readonly #recorder: TurnRecorder
  readonly #due: DueWatch
  readonly #callers: Callers
  readonly #lanes = new Map<string, Lane>()
  /** Messages that stand in a lane or are with a carrier: they are not lined up a second time. */
  readonly #working = new Set<MessageId>()
  /** The newest state of messages whose turns are on their way to the disk, whatever the desk has room for. */
  readonly #recording = new Map<MessageId, Message>()
  readonly #attempts = new Set<Promise<void>>()
  /** Channels that were not claimed for because memory had no room for them. */
  #shut: readonly Channel[] = []
  #stopping = false

  constructor(tools: PumpTools, limits: PumpLimits) {
    this.#tools = tools
    this.#limits = limits
    this.#desk = new Desk(limits)
    this.#recorder = new TurnRecorder(tools, (batch, outcome) => this.#recorded(batch, outcome))
    this.#due = new DueWatch(tools, 'messages that are due', () => this.#claim())
    this.#callers = new Callers(tools.clock)
  }

  /** Nothing of it is under way: no turn being written, nothing with a carrier, no claim. */
  get idle(): boolean {
    return this.#recorder.idle && this.#due.idle && this.#working.size === 0
  }

  get facts(): { readonly held: number; readonly inFlight: number } {
    return {
      held: this.#desk.heldCount,
      inFlight: [...this.#lanes.values()].reduce((sum, lane) => sum + lane.inFlight, 0),
    }
  }

  start(): void {
    this.#due.wake()
  }

  hasRoom(channel: Channel): boolean {
    return !this.#stopping && this.#desk.roomFor(channel) > 0
  }

  take(messages: readonly Message[], wake: boolean): void {
    for (const message of messages) this.#lineUp(this.#desk.put(message, true))
    if (wake) this.#due.wake()
  }

  async untilAnswered(id: MessageId, withinMs: number): Promise<Message | null> {
    const message = (await this.#find([id])).get(id)
    return message === undefined ? null : this.#callers.wait(message, withinMs)
  }

  /** Where a receipt belongs, as far as memory knows. */
  addressOf(receipt: CarrierReceipt): ReceiptAddress | undefined {
    return this.#desk.addressOf(receipt.carrierId, receipt.ref)
  }

  /** Tells messages what their carriers report; resolves once it is on disk. */
  async tell(news: readonly AddressedReceipt[]): Promise<void> {
    const found = await this.#find(news.map(({ address }) => address.messageId))
    const at = this.#tools.clock.now()
    await Promise.all(
      news.map(({ receipt, address }) =>
        this.#apply(found.get(address.messageId), {
          kind: 'receipt',
          at,
          step: address.step,
          part: address.part,
          carrierId: receipt.carrierId,
          outcome: receipt.outcome,
          detail: receipt.detail,
        }),
      ),
    )
  }

  /** A person opened a short link for the first time. */
  async clicked(click: {
    readonly messageId: MessageId
    readonly code: string
    readonly url: string
    readonly at: number
  }): Promise<void> {
    const { messageId, code, url, at } = click
    const found = await this.#find([messageId])
    await this.#apply(found.get(messageId), { kind: 'clicked', at, url, code }, code)
  }

  /** Carriers were added, changed or removed: whoever stands in their lanes is routed anew. */
  reroute(carrierIds: readonly string[]): void {
    for (const carrierId of carrierIds) {
      const entries = this.#lanes.get(carrierId)?.clear() ?? []
      this.#lanes.delete(carrierId)
      for (const { id } of entries) {
        this.#working.delete(id)
        const message = this.#desk.get(id)
        if (message !== undefined) this.#lineUp(message)
      }
    }
  }

  /** Takes no more, lets what is with the carriers come to its record, and gives the rest back to the store. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#due.stop()
    for (const lane of this.#lanes.values()) for (const { id } of lane.clear()) this.#working.delete(id)
    await this.#tools.fleet.stop()
    await Promise.allSettled(this.#attempts)
    await this.#recorder.close()
    const held = this.#desk.heldIds()
    if (held.length > 0) await this.#tools.store.letGo(held)
  }

  async #claim(): Promise<Claimed> {
    const channels = this.#roomyChannels()
    this.#shut = CHANNELS.filter((channel) => !channels.includes(channel))
    if (channels.length === 0) return { more: false, nextDueAt: null }
    const claim = { now: this.#tools.clock.now(), channels, limit: CLAIM_MOST }
    const { messages, overtakers, nextDueAt } = await this.#tools.store.claimDue(claim)
    this.#claimed(messages)
    this.#tellOvertakers(overtakers)
    return { more: Math.max(messages.length, overtakers.length) === CLAIM_MOST, nextDueAt }
  }

  #roomyChannels(): readonly Channel[] {
    return CHANNELS.filter((channel) => this.#desk.roomFor(channel) > this.#limits.mostHeld / 2)
  }

  /** Channels that had no room may have some now. */
  #reopenChannels(): void {
    if (this.#shut.length === 0) return
    const roomy = this.#roomyChannels()
    if (this.#shut.some((channel) => roomy.includes(channel))) this.#due.wake()
  }

  #claimed(messages: readonly Message[]): void {
    const now = this.#tools.clock.now()
    const early: MessageId[] = []
    for (const claimed of messages) {
      const here = this.#here(claimed.id)
      // A turn newer than the claim is on its way to the store, and says there who holds the message.
      if (here !== undefined && here.journey.version > claimed.journey.version) continue
      const { phase, deadlineAt } = claimed.journey
      if (now >= deadlineAt) {
        this.#desk.put(claimed, true)
        void this.#apply(claimed, { kind: 'timeout', at: now })
      } else if (phase === 'open') {
        this.#lineUp(this.#desk.put(claimed, true))
      } else {
        early.push(claimed.id)
      }
    }
    if (early.length === 0) return
    this.#tools.store.letGo(early).catch((error: Error) => {
      this.#tools.log.error({ error }, 'messages that are not due yet could not be given back')
    })
  }

  /** Puts a message into the lane of its carrier, unless it stands in one already or has nothing to be tried now. */
  #lineUp(message: Message): void {
    if (this.#stopping || this.#working.has(message.id) || !isToBeTried(message, this.#tools.clock.now())) return
    const { step, deadlineAt } = message.journey
    const route = this.#tools
      .directory()
      .routes.find(channelOf(message), message.phone, this.#tools.lookup.operatorOf(message.phone))
    const carrier = route === null ? undefined : this.#tools.fleet.get(route.carrierId)
    if (carrier === undefined) {
      const reason = route === null ? 'no route to this number' : `carrier ${route.carrierId} is not running`
      void this.#apply(message, { kind: 'unroutable', at: this.#tools.clock.now(), step, reason })
      return
    }
    this.#working.add(message.id)
    const weight = Math.min(carrier.window, openParts(message).length)
    this.#laneOf(carrier).push({ id: message.id, weight, deadlineAt })
  }

  #laneOf(carrier: Carrier): Lane {
    const existing = this.#lanes.get(carrier.id)
    if (existing !== undefined) return existing
    const lane: Lane = new Lane({
      clock: this.#tools.clock,
      window: carrier.window,
      start: (entry) => {
        const trying = this.#attempt(entry, carrier, lane)
        this.#attempts.add(trying)
        return trying.finally(() => this.#attempts.delete(trying))
      },
      expire: (entry) => this.#expire(entry),
    })
    this.#lanes.set(carrier.id, lane)
    return lane
  }

  async #attempt(entry: LaneEntry, carrier: Carrier, lane: Lane): Promise<void> {
    const message = this.#desk.get(entry.id)
    if (message === undefined || !isToBeTried(message, this.#tools.clock.now())) {
      this.#working.delete(entry.id)
      return
    }
    if (this.#tools.clock.now() >= message.journey.deadlineAt) {
      this.#expire(entry)
      return
    }
    const event = await attempt(message, carrier, this.#tools)
    for (const verdict of event.verdicts) {
      if (verdict.kind === 'slow') lane.pause(event.at + (verdict.retryAfterMs ?? waitAfter(1, event.jitter)))
    }
    this.#working.delete(entry.id)
    await this.#apply(message, event)
  }

  #expire(entry: LaneEntry): void {
    this.#working.delete(entry.id)
    void this.#apply(this.#desk.get(entry.id), { kind: 'timeout', at: this.#tools.clock.now() })
  }

  /**
   * Tells a message what happened; resolves once what it makes of it is on disk. `known` is any state of it, for when
   * memory has none: should it be old, the store refuses the turn and the event is told to what the store has.
   */
  async #apply(known: Message | undefined, event: JourneyEvent, clickedCode: string | null = null): Promise<void> {
    if (known === undefined) return
    const { id } = known
    for (let message = this.#here(id) ?? known; ; ) {
      const turn = advance(message, event)
      if (turn === null) return
      const held = isToBeTried(turn.message, event.at)
      this.#recording.set(id, turn.message)
      this.#desk.put(turn.message, held)
      for (const { carrierId, ref, step, part } of turn.refs) {
        this.#desk.learnAddress(carrierId, ref, { messageId: id, step, part })
      }
      const reportsHeld = this.#tools.reports.hasRoom(turn.reports.length)
      if (await this.#recorder.record({ turn, held, reportsHeld, clickedCode })) return
      this.#desk.drop(id)
      message = (await this.#find([id])).get(id) ?? message
    }
  }

  /** The turns are on disk: now, and only now, the world may see what they ask for. */
  #recorded(batch: readonly RecordedTurn[], outcome: RecordOutcome): void {
    const stale = new Set(outcome.stale)
    const queued = new Set(outcome.queuedReports.map((report) => `${report.messageId} ${report.number}`))
    const reports: PendingReport[] = []
    for (const recorded of batch) {
      const { turn } = recorded
      if (this.#recording.get(turn.message.id) === turn.message) this.#recording.delete(turn.message.id)
      if (stale.has(turn.message.id)) continue
      this.#tools.onTurn(turn)
      this.#callers.tell(turn.message)
      for (const report of turn.reports) {
        if (!recorded.reportsHeld || queued.has(`${report.messageId} ${report.number}`)) continue
        reports.push({ ...report, tries: 0, createdAt: this.#tools.clock.now() })
      }
      if (turn.reports.length > 0 && !recorded.reportsHeld) this.#tools.reports.wake()
      if (turn.revoke !== null) void this.#revoke(turn)
      this.#goOn(turn.message, recorded.held)
    }
    if (reports.length > 0) this.#tools.reports.take(reports)
    this.#tellOvertakers(outcome.overtakers)
    this.#reopenChannels()
  }

  /** Should this fail, or the process die first, the store hands them over again to the next node. */
  #tellOvertakers(overtakers: readonly AddressedReceipt[]): void {
    if (overtakers.length === 0) return
    this.tell(overtakers).catch((error: Error) => {
      this.#tools.log.error({ error }, 'receipts that came early could not be told')
    })
  }

  #goOn(message: Message, held: boolean): void {
    // A newer turn of the message, not yet on disk, will go on by itself.
    if (this.#recording.has(message.id)) return
    if (message.journey.dueAt === null) return
    if (held) this.#lineUp(message)
    else this.#due.expect(message.journey.dueAt)
  }

  async #revoke(turn: Turn): Promise<void> {
    const { message, revoke } = turn
    if (revoke === null) return
    const carrier = this.#tools.fleet.get(revoke.carrierId)
    if (carrier?.revoke === undefined) return
    const sender = message.plan[revoke.step]?.sender ?? ''
    const { asked, detail } = await carrier.revoke({
      messageId: message.id,
      step: revoke.step,
      phone: message.phone,
      sender,
      refs: revoke.refs,
    })
    if (!asked) return
    await this.#apply(message, {
      kind: 'revoked',
      at: this.#tools.clock.now(),
      step: revoke.step,
      carrierId: revoke.carrierId,
      detail,
    })
  }

  /** The newest state in memory. */
  #here(id: MessageId): Message | undefined {
    return this.#recording.get(id) ?? this.#desk.get(id)
  }

  /** The messages, from memory or from the store. */
  async #find(ids: readonly MessageId[]): Promise<ReadonlyMap<MessageId, Message>> {
    const found = new Map<MessageId, Message>()
    const absent = new Set<MessageId>()
    for (const id of ids) {
      const message = this.#here(id)
      if (message === undefined) absent.add(id)
      else found.set(id, message)
    }
    if (absent.size > 0) {
      for (const message of await this.#tools.store.loadMessages([...absent])) found.set(message.id, message)
    }
    return found
  }
}

/** Whether an attempt of the step under way is to be made now. */
function isToBeTried(message: Message, now: number): boolean {
  const { phase, dueAt } = message.journey
  return phase === 'open' && dueAt !== null && dueAt <= now
}
