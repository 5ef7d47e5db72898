/**
 * The pump moves open messages: it takes accepted messages, claims messages that are due, queued or left by a dead
 * node, applies receipts, and executes the effects of a turn once it is on disk.
 */
import type { Channel } from '../../domain/channels/channel.ts'
import type { Directory } from '../../domain/directory/directory.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import { advance } from '../../domain/journey/journey.ts'
import type { RevokeOrder, Turn } from '../../domain/journey/turn.ts'
import type { Canceller, JourneyEvent, Settlement } from '../../domain/message/journey-event.ts'
import { type Message, shownSenderOf } from '../../domain/message/message.ts'
import { LOWER_SHARE } from '../../domain/message/traffic-class.ts'
import type { CostTerms } from '../../domain/money/cost.ts'
import type { Amount } from '../../domain/money/ledger.ts'
import { toMicros } from '../../domain/money/money.ts'
import type { RatedNumber } from '../../domain/money/rate.ts'
import type { HooksOf } from '../../domain/reports/client-hook.ts'
import type { CarrierReceipt, LateAnswer } from '../../ports/carriers/carrier.ts'
import type { Lookup } from '../../ports/carriers/lookup.ts'
import type { EarlyReceipt, ReceiptAddress } from '../../ports/carriers/receipt-address.ts'
import type { Cancelled, CodeCheck, CodeResend, HookOutbox, Recipient } from '../../ports/hooks/outbox.ts'
import type { Clustered } from '../../ports/records/cluster.ts'
import type { DeliveryStore } from '../../ports/stores/delivery-store.ts'
import type { SetupStore } from '../../ports/stores/setup-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import type { Random } from '../../ports/system/random.ts'
import type { CarrierFleet } from '../carriers/carrier-fleet.ts'
import { type OptOutInEvent, recordCarrierOptOut } from '../consent/carrier-consent.ts'
import { DueWatch } from '../queues/due-watch.ts'
import { MessageProcessor, type ProcessorTools } from '../submit/process-message.ts'
import { Enqueuer } from '../turns/enqueue.ts'
import { MessageCache } from '../turns/message-cache.ts'
import { isToBeTried, type ReportTaker, Transitions } from '../turns/transitions.ts'
import type { AddressedReceipt } from './addressed-receipt.ts'
import { BlockedWatch } from './blocked-watch.ts'
import { Callers } from './callers.ts'
import { Intake } from './intake.ts'
import type { ParkingLimit } from './parking-limit.ts'

export interface PumpTools {
  readonly store: DeliveryStore & Clustered & Pick<SetupStore, 'change'>
  readonly refresh: () => Promise<void>
  readonly fleet: CarrierFleet
  readonly reports: ReportTaker
  readonly parking: Pick<ParkingLimit, 'giveBack'>
  readonly directory: () => Directory
  readonly hooksOf: HooksOf
  readonly lookup: Lookup
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Currency of costs that name none, ISO 4217. */
  readonly currency: string
  /** Called with every turn that is on disk, for metrics. */
  readonly onTurn: (turn: Turn) => void
  readonly onAttempt?: NonNullable<ProcessorTools['onAttempt']>
}

export interface PumpLimits {
  /** Maximum of messages held in memory, per channel. */
  readonly maxHeld: number
  /** Maximum of messages kept in memory for their receipts. */
  readonly maxKept: number
  /** Of 100 places, those that each lower traffic class keeps; LOWER_SHARE by default. */
  readonly lowerShare?: number
  /** Maximum of receipts that each carrier may park; MAX_PARKED by default. */
  readonly maxParked?: number
}

export class Pump implements HookOutbox {
  readonly #tools: PumpTools
  readonly #cache: MessageCache
  readonly #transitions: Transitions
  readonly #enqueuer: Enqueuer
  readonly #processor: MessageProcessor
  readonly #intake: Intake
  readonly #due: DueWatch
  readonly #callers: Callers
  readonly #blocked: BlockedWatch

  constructor(tools: PumpTools, limits: PumpLimits) {
    const { store, clock, directory } = tools
    this.#tools = tools
    this.#cache = new MessageCache(limits)
    this.#due = new DueWatch(tools, 'due messages', () => this.#intake.claim())
    this.#transitions = new Transitions(
      { ...tools, cache: this.#cache, costOf: (...of) => this.#costOf(...of) },
      {
        recorded: (turn, held) => this.#recorded(turn, held),
        changedElsewhere: (message) => this.#proceed(message),
        batchRecorded: (early) => this.#batchRecorded(early),
      },
    )
    const routing = () => directory().routingTag
    this.#enqueuer = new Enqueuer({ ...tools, routing, onEnqueued: () => this.#due.expect(clock.now()) }, this.#cache)
    const parts = { cache: this.#cache, transitions: this.#transitions, enqueuer: this.#enqueuer }
    const maxWaiting = Math.ceil(limits.maxHeld / 4)
    const { lowerShare = LOWER_SHARE } = limits
    this.#processor = new MessageProcessor({
      ...tools,
      ...parts,
      maxWaiting,
      lowerShare,
      onOpened: () => this.#due.wake(),
    })
    this.#intake = new Intake({
      ...tools,
      ...parts,
      maxHeld: limits.maxHeld,
      lowerShare,
      processor: this.#processor,
      release: (ids) => void this.#release(ids),
      applyEarlyReceipts: (early) => this.#applyEarlyReceipts(early),
    })
    this.#blocked = new BlockedWatch({ ...tools, onOpened: () => this.#due.wake() })
    this.#callers = new Callers(clock, store.cluster === null ? null : (ids) => store.loadMessages(ids))
  }

  /** True if nothing is being written, claimed or with a carrier. */
  get idle(): boolean {
    const parts = [this.#transitions, this.#due, this.#processor, this.#enqueuer, this.#blocked]
    return parts.every(({ idle }) => idle)
  }

  get facts(): { readonly held: number; readonly inFlight: number } {
    return { held: this.#cache.heldCount, inFlight: this.#processor.queues.inFlight }
  }

  /** Checks the store for due messages. */
  wake(): void {
    this.#due.wake()
  }

  hasRoom(channel: Channel, tenant: number): boolean {
    return this.#intake.hasRoom(channel, tenant)
  }

  isOpen(carrierId: string): boolean {
    const { fleet } = this.#tools
    return fleet.isElsewhere(carrierId) || fleet.mayTry(carrierId) || fleet.isStarting(carrierId)
  }

  take(messages: readonly Message[], dueAt: number | null): void {
    for (const message of messages) {
      if (!this.#intake.isOutdated(message)) this.#processor.process(this.#cache.put(message, true))
    }
    if (dueAt !== null) this.#due.expect(dueAt)
  }

  async untilAnswered(id: MessageId, withinMs: number): Promise<Message | null> {
    const message = await this.messageOf(id)
    return message === undefined ? null : this.#callers.wait(message, withinMs)
  }

  cancel(messages: readonly Message[], by: Canceller = 'client'): Promise<readonly Message[]> {
    return this.#applyToWaiting(messages, { kind: 'cancelled', at: this.#tools.clock.now(), by })
  }

  async discard(messages: readonly Message[], by: Canceller): Promise<Cancelled> {
    let [cancelled, micros] = [0, 0]
    const event = { kind: 'cancelled', at: this.#tools.clock.now(), by } as const
    await this.#applyToWaiting(messages, event, ({ timeline, postings }) => {
      // That of a message that is cancelled already has none.
      if (timeline.length > 0) cancelled += 1
      for (const { amountMicros } of postings) micros += amountMicros
    })
    return { messages: cancelled, releasedMicros: toMicros(micros) }
  }

  async sendNow(message: Message): Promise<Message> {
    const event = { kind: 'resumed', at: this.#tools.clock.now(), by: 'operator' } as const
    const [after = message] = await this.#applyToWaiting([message], event)
    return after
  }

  async settle(messages: readonly Message[], by: Settlement): Promise<readonly Message[]> {
    const event = { kind: 'settled', at: this.#tools.clock.now(), by } as const
    const own = new Set<MessageId>()
    const after = await this.#applyToWaiting(messages, event, (turn) => own.add(turn.message.id))
    return after.filter(({ id }) => own.has(id))
  }

  /** Returns each message as it then is on disk: unchanged if a carrier has it, or another node holds it. */
  async #applyToWaiting(
    messages: readonly Message[],
    event: JourneyEvent,
    onTurn?: (turn: Turn) => void,
  ): Promise<readonly Message[]> {
    const { cluster } = this.#tools.store
    const open = messages.filter((message) => advance(message, event) !== null)
    const free = await this.#holdFree(open.map(({ id }) => id))
    const results = messages.map(async (message) => {
      const { id } = message
      // A carrier may be taking the message right now, here or on the node that holds it.
      if (this.#processor.isOnTheWire(id)) return message
      // Unless it has ended in the meantime: another request may have cancelled it.
      if (!free.has(id)) return (await this.#transitions.reload(id)) ?? message
      const applied = Promise.withResolvers<Message | undefined>()
      this.#transitions.applyThen(message, event, (after, turn) => {
        if (turn !== undefined) onTurn?.(turn)
        applied.resolve(after)
      })
      const now = (await applied.promise) ?? message
      if (cluster !== null && now.journey.phase !== 'ended' && !this.#cache.holds(id)) void this.#release([id])
      return now
    })
    return Promise.all(results)
  }

  /** Holds messages in the store and returns those that no other node has. */
  async #holdFree(ids: readonly MessageId[]): Promise<ReadonlySet<MessageId>> {
    const { cluster } = this.#tools.store
    return new Set(cluster === null || ids.length === 0 ? ids : await cluster.hold(ids))
  }

  async check(checks: readonly CodeCheck[]): Promise<readonly (Message | undefined)[]> {
    const found = await this.#transitions.find(checks.map(({ messageId }) => messageId))
    const at = this.#tools.clock.now()
    return Promise.all(
      checks.map(({ code, checkId }, index) =>
        this.#transitions.apply(found[index], { kind: 'checked', at, code, checkId }),
      ),
    )
  }

  async resend(resends: readonly CodeResend[]): Promise<readonly (Message | undefined)[]> {
    const found = await this.#transitions.find(resends.map(({ messageId }) => messageId))
    const at = this.#tools.clock.now()
    return Promise.all(
      resends.map(({ resendId }, index) => this.#transitions.apply(found[index], { kind: 'resent', at, resendId })),
    )
  }

  /** Returns the part that a receipt is about, if it is in memory. */
  addressOf(receipt: CarrierReceipt): ReceiptAddress | undefined {
    return this.#cache.addressOf(receipt.carrierId, receipt.ref)
  }

  /** Applies receipts; resolves once they are on disk, opt-outs first. */
  async applyReceipts(receipts: readonly AddressedReceipt[]): Promise<void> {
    if (receipts.length === 0) return
    const found = await this.#transitions.find(receipts.map(({ address }) => address.messageId))
    const optOuts = await this.#recordOptOuts(receipts, found)
    const at = this.#tools.clock.now()
    await new Promise<void>((resolve) => {
      let open = receipts.length
      const done = () => {
        open -= 1
        if (open === 0) resolve()
      }
      receipts.forEach(({ receipt, address }, index) => {
        const event = toEvent(receipt, address, at)
        const optOut = optOuts?.get(index)
        this.#transitions.applyThen(found[index], optOut === undefined ? event : { ...event, ...optOut }, done)
      })
    })
  }

  /** Returns those that are new, by the index of their receipts; null if no receipt has one, as usual. */
  async #recordOptOuts(
    receipts: readonly AddressedReceipt[],
    found: readonly (Message | undefined)[],
  ): Promise<ReadonlyMap<number, OptOutInEvent> | null> {
    if (receipts.every(({ receipt }) => receipt.outcome !== 'optedOut')) return null
    const recorded = receipts.map(async ({ receipt, address: { step, part } }, index) => {
      const message = found[index]
      // A carrier that repeats it must not undo that the recipient has opted in since.
      const isKnown = message?.journey.steps[step]?.parts[part]?.noted?.optedOut !== undefined
      if (receipt.outcome !== 'optedOut' || message === undefined || isKnown) return [index, {}] as const
      return [index, await recordCarrierOptOut(message, step, { ...this.#tools, pump: this })] as const
    })
    return new Map(await Promise.all(recorded))
  }

  /** Applies an answer that came after the attempt had ended. If this fails, the parts are tried again. */
  applyLateAnswer(answer: LateAnswer): void {
    this.#applyLateAnswer(answer).catch((error: Error) => {
      this.#tools.log.error({ error }, 'could not apply a late answer of a carrier')
    })
  }

  async #applyLateAnswer({ messageId, step, carrierId, parts, ref }: LateAnswer): Promise<void> {
    const [message] = await this.#transitions.find([messageId])
    const at = this.#tools.clock.now()
    const verdicts = parts.map((part) => ({ kind: 'taken', ref, part }) as const)
    await this.#transitions.apply(message, {
      kind: 'answered',
      at,
      step,
      carrierId,
      verdicts,
      anotherLeft: false,
      jitter: 0,
    })
  }

  /** Applies the first human click on a short link. */
  async clicked(click: {
    readonly messageId: MessageId
    readonly code: string
    readonly url: string
    readonly at: number
  }): Promise<void> {
    const { messageId, code, url, at } = click
    const [message] = await this.#transitions.find([messageId])
    await this.#transitions.apply(message, { kind: 'clicked', at, url, code }, code)
  }

  async messageOf(id: MessageId): Promise<Message | undefined> {
    const [message] = await this.#transitions.find([id])
    return message
  }

  /** Applies a use of an unsubscribe link. */
  async consent(message: Message, event: Extract<JourneyEvent, { kind: 'consent' }>): Promise<void> {
    await this.#transitions.apply(message, event)
  }

  noteOptOuts(recipients: readonly Recipient[]): void {
    this.#processor.noteOptOuts(recipients)
  }

  /** Returns the number of messages queued for a carrier. */
  waitingFor(carrierId: string): number {
    return this.#processor.queues.waitingFor(carrierId)
  }

  /** Returns the money on hold for each of the messages queued for a carrier. */
  *holdsFor(carrierId: string): Generator<Amount> {
    for (const { id } of this.#processor.queues.queuedFor(carrierId)) {
      const message = this.#transitions.here(id)
      const account = message === undefined ? null : this.#tools.directory().account(message.accountId)
      if (message === undefined || account === null) continue
      yield { micros: message.journey.heldMicros, currency: account.currency }
    }
  }

  /** Looks again at messages that wait because of a suspension or of quiet hours. */
  lookAtBlocked(): void {
    this.#blocked.look()
  }

  /** Follows a change of the directory: messages queued for these carriers are routed again. */
  reroute(carrierIds: readonly string[]): void {
    this.#processor.reroute(carrierIds)
    // Messages that wait in the store for other carriers may go by these.
    this.#due.wake()
  }

  /**
   * Takes nothing more, waits until current attempts are recorded, and releases all other messages. Does not wait for a
   * store that fails: other nodes take its messages over.
   */
  async stop(): Promise<void> {
    this.#intake.stop()
    this.#due.stop()
    this.#processor.close()
    await this.#blocked.stop()
    await this.#tools.fleet.stop()
    await Promise.race([this.#processor.drained(), this.#transitions.hurry()])
    await this.#processor.admitted()
    await this.#transitions.close()
    await this.#enqueuer.close()
    await this.#release(this.#cache.heldIds())
  }

  #costOf(carrierId: string, number: RatedNumber, terms: CostTerms): Amount | null {
    const { directory, currency } = this.#tools
    return directory().routes.costs.amount(carrierId, number, { ...terms, currency })
  }

  async #release(ids: readonly MessageId[]): Promise<void> {
    if (ids.length === 0) return
    try {
      await this.#tools.store.release(ids)
    } catch (error) {
      const fields = { error: error as Error, count: ids.length }
      this.#tools.log.error(fields, 'could not release the messages that this node held')
    }
  }

  /** Continues with a message that this node holds and another one has changed. */
  #proceed(message: Message): void {
    if (isToBeTried(message, this.#tools.clock.now())) this.#intake.takeDue([message])
    else void this.#release([message.id])
  }

  #batchRecorded(early: readonly EarlyReceipt[]): void {
    this.#applyEarlyReceipts(early)
    if (this.#intake.mayClaim()) this.#due.wake()
  }

  /** Executes the effects of a turn that is on disk. */
  #recorded(turn: Turn, held: boolean): void {
    const { message, revokes } = turn
    this.#tools.onTurn(turn)
    this.#callers.notify(message)
    for (const order of revokes) void this.#revoke(message, order)
    if (held) this.#processor.process(message)
    else if (message.journey.dueAt !== null) this.#due.expect(message.journey.dueAt)
  }

  /** If this fails, or the process dies first, the store returns them again with a later claim. */
  #applyEarlyReceipts(early: readonly EarlyReceipt[]): void {
    if (early.length === 0) return
    const { parking } = this.#tools
    for (const { receipt, peers = [] } of early) for (const id of [receipt.carrierId, ...peers]) parking.giveBack(id)
    this.applyReceipts(early).catch((error: Error) => {
      this.#tools.log.error({ error }, 'could not apply early receipts')
    })
  }

  async #revoke(message: Message, { step, carrierId, refs }: RevokeOrder): Promise<void> {
    const carrier = this.#tools.fleet.get(carrierId)
    if (carrier?.revoke === undefined) return
    const planned = message.plan[step]
    const sender = planned === undefined ? '' : shownSenderOf(planned, message.journey.steps[step])
    const { asked, detail } = await carrier.revoke({ messageId: message.id, step, phone: message.phone, sender, refs })
    if (!asked) return
    await this.#transitions.apply(message, { kind: 'revoked', at: this.#tools.clock.now(), step, carrierId, detail })
  }
}

function toEvent({ carrierId, ref, outcome, detail, category }: CarrierReceipt, address: ReceiptAddress, at: number) {
  const { step, part } = address
  const event = { kind: 'receipt', at, step, part, carrierId, ref, outcome, detail } as const
  return category === undefined ? event : { ...event, category }
}
