/**
 * The pump: moves every open message from station to station. It takes what was just accepted, claims what is due, waits in
 * queues or was left by a dead node, gives messages to the lanes of their carriers, tells them what comes back, and does
 * what a turn asks for only after that turn is on disk.
 */
import type { Channel } from '../domain/channel.ts'
import type { Directory } from '../domain/directory.ts'
import { advance } from '../domain/journey.ts'
import type { Amount } from '../domain/ledger.ts'
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { RatedNumber } from '../domain/rate-table.ts'
import type { RevokeOrder, Turn } from '../domain/turn.ts'
import type { CarrierReceipt, LateAnswer } from '../ports/carrier.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Lookup } from '../ports/lookup.ts'
import type { Outbox } from '../ports/outbox.ts'
import type { Random } from '../ports/random.ts'
import type { ReceiptAddress } from '../ports/receipt-address.ts'
import type { Store } from '../ports/store.ts'
import { Callers } from './callers.ts'
import type { CarrierFleet } from './carrier-fleet.ts'
import { Desk } from './desk.ts'
import { DueWatch } from './due-watch.ts'
import { Enqueuer } from './enqueue.ts'
import { Intake } from './intake.ts'
import { isToBeTried, Journeys, type ReportTaker } from './journeys.ts'
import { Lanes } from './lanes.ts'
import type { AddressedReceipt } from './receipt.ts'
import { Screen } from './screen.ts'

export interface PumpTools {
  readonly store: Store
  readonly fleet: CarrierFleet
  readonly reports: ReportTaker
  readonly directory: () => Directory
  readonly lookup: Lookup
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Of costs that name none, ISO 4217. */
  readonly currency: string
  /** Hears of every turn that is on disk: for metrics. */
  readonly onTurn: (turn: Turn) => void
}

export interface PumpLimits {
  /** Messages held in memory, per channel. */
  readonly mostHeld: number
  /** Messages kept in memory for their receipts. */
  readonly mostKept: number
}

export class Pump implements Outbox {
  readonly #tools: PumpTools
  readonly #desk: Desk
  readonly #journeys: Journeys
  readonly #lanes: Lanes
  readonly #screen: Screen
  readonly #enqueuer: Enqueuer
  readonly #intake: Intake
  readonly #due: DueWatch
  readonly #callers: Callers

  constructor(tools: PumpTools, limits: PumpLimits) {
    this.#tools = tools
    this.#desk = new Desk(limits)
    this.#journeys = new Journeys(
      { ...tools, desk: this.#desk, costOf: (...of) => this.#costOf(...of) },
      {
        recorded: (turn, held) => this.#recorded(turn, held),
        overtaken: (message) => this.#goOn(message),
        batchRecorded: (overtakers) => {
          this.#tellOvertakers(overtakers)
          if (this.#intake.mayClaim()) this.#due.wake()
        },
      },
    )
    this.#enqueuer = new Enqueuer(
      {
        ...tools,
        routing: () => tools.directory().routingTag,
        onEnqueued: () => this.#due.expect(tools.clock.now()),
      },
      this.#desk,
    )
    this.#lanes = new Lanes(
      {
        ...tools,
        mostWaiting: Math.ceil(limits.mostHeld / 4),
        mayAct: () => tools.store.cluster?.mayAct() ?? true,
        wait: (message, carriers) => this.#enqueuer.wait(message, carriers),
        onOpened: () => this.#due.wake(),
      },
      this.#journeys,
    )
    this.#screen = new Screen({ ...tools, lineUp: (message) => this.#lanes.lineUp(message) }, this.#journeys)
    this.#intake = new Intake({
      ...tools,
      desk: this.#desk,
      journeys: this.#journeys,
      lanes: this.#lanes,
      screen: this.#screen,
      enqueuer: this.#enqueuer,
      mostHeld: limits.mostHeld,
      letGo: (ids) => void this.#letGo(ids),
      tellOvertakers: (overtakers) => this.#tellOvertakers(overtakers),
    })
    this.#due = new DueWatch(tools, 'messages that are due', () => this.#intake.claim())
    this.#callers = new Callers(
      tools.clock,
      tools.store.cluster === null ? null : (ids) => tools.store.loadMessages(ids),
    )
  }

  /** Nothing of it is under way: no turn being written, nothing with a carrier, no claim. */
  get idle(): boolean {
    return this.#journeys.idle && this.#due.idle && this.#lanes.idle && this.#screen.idle && this.#enqueuer.idle
  }

  get facts(): { readonly held: number; readonly inFlight: number } {
    return { held: this.#desk.heldCount, inFlight: this.#lanes.inFlight }
  }

  /** Something may be due in the store. */
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
      if (!this.#intake.isOvertaken(message)) this.#screen.pass(this.#desk.put(message, true))
    }
    if (dueAt !== null) this.#due.expect(dueAt)
  }

  async untilAnswered(id: MessageId, withinMs: number): Promise<Message | null> {
    const message = (await this.#journeys.find([id])).get(id)
    return message === undefined ? null : this.#callers.wait(message, withinMs)
  }

  async cancel(messages: readonly Message[]): Promise<readonly Message[]> {
    const { cluster } = this.#tools.store
    const event = { kind: 'cancelled', at: this.#tools.clock.now() } as const
    const open = messages.filter((message) => advance(message, event) !== null)
    const free = await this.#holdFree(open.map(({ id }) => id))
    const told = messages.map(async (message) => {
      const { id } = message
      // What is with a carrier at this moment may be taken: nobody knows before it has answered. Nor does anybody know of
      // what another node holds.
      if (!free.has(id) || this.#lanes.isOnTheWire(id)) return message
      const now = (await this.#journeys.tell(message, event)) ?? message
      if (cluster !== null && now.journey.phase !== 'ended' && !this.#desk.holds(id)) void this.#letGo([id])
      return now
    })
    return Promise.all(told)
  }

  /** Those of the messages that no other node holds, nor takes from now on. */
  async #holdFree(ids: readonly MessageId[]): Promise<ReadonlySet<MessageId>> {
    const { cluster } = this.#tools.store
    return new Set(cluster === null || ids.length === 0 ? ids : await cluster.hold(ids))
  }

  /** Where a receipt belongs, as far as memory knows. */
  addressOf(receipt: CarrierReceipt): ReceiptAddress | undefined {
    return this.#desk.addressOf(receipt.carrierId, receipt.ref)
  }

  /** Tells messages what their carriers report; resolves once it is on disk. */
  async tell(news: readonly AddressedReceipt[]): Promise<void> {
    const found = await this.#journeys.find(news.map(({ address }) => address.messageId))
    const at = this.#tools.clock.now()
    await Promise.all(
      news.map(({ receipt, address }) => {
        const { step, part, messageId } = address
        const { ref: _, ...said } = receipt
        return this.#journeys.tell(found.get(messageId), { kind: 'receipt', at, step, part, ...said })
      }),
    )
  }

  /** Tells a message that a carrier took parts of it after all. Should this fail, they are tried again as if unknown. */
  learn(answer: LateAnswer): void {
    this.#learn(answer).catch((error: Error) => {
      this.#tools.log.error({ error }, 'an answer that came late could not be told')
    })
  }

  async #learn({ messageId, step, carrierId, parts, ref }: LateAnswer): Promise<void> {
    const found = await this.#journeys.find([messageId])
    const at = this.#tools.clock.now()
    const verdicts = parts.map((part) => ({ kind: 'taken', ref, part }) as const)
    await this.#journeys.tell(found.get(messageId), {
      kind: 'answered',
      at,
      step,
      carrierId,
      verdicts,
      anotherLeft: false,
      jitter: 0,
    })
  }

  /** A person opened a short link for the first time. */
  async clicked(click: {
    readonly messageId: MessageId
    readonly code: string
    readonly url: string
    readonly at: number
  }): Promise<void> {
    const { messageId, code, url, at } = click
    const found = await this.#journeys.find([messageId])
    await this.#journeys.tell(found.get(messageId), { kind: 'clicked', at, url, code }, code)
  }

  /** The messages that stand before a carrier. */
  waitingFor(carrierId: string): number {
    return this.#lanes.waitingFor(carrierId)
  }

  /** The directory has changed, these carriers most of all: whoever stands in their lanes is routed anew. */
  reroute(carrierIds: readonly string[]): void {
    this.#lanes.reroute(carrierIds)
    // What waits in the store for other carriers may go by these.
    this.#due.wake()
  }

  /**
   * Takes no more, lets what is with the carriers come to its record, and gives the rest back to the store. A store that
   * fails is not waited for: what it does not take now, others take over.
   */
  async stop(): Promise<void> {
    this.#intake.stop()
    this.#due.stop()
    this.#lanes.close()
    await this.#tools.fleet.stop()
    await Promise.race([this.#lanes.drained(), this.#journeys.hurry()])
    await this.#screen.close()
    await this.#journeys.close()
    await this.#enqueuer.close()
    await this.#letGo(this.#desk.heldIds())
  }

  #costOf(carrierId: string, number: RatedNumber, category: string | null): Amount | null {
    const { directory, currency } = this.#tools
    return directory().routes.costs.amount(carrierId, number, { category, currency })
  }

  async #letGo(ids: readonly MessageId[]): Promise<void> {
    if (ids.length === 0) return
    try {
      await this.#tools.store.letGo(ids)
    } catch (error) {
      const fields = { error: error as Error, count: ids.length }
      this.#tools.log.error(fields, 'messages that this node held could not be given back')
    }
  }

  /** This node has it in hand, and another one has changed it. */
  #goOn(message: Message): void {
    if (isToBeTried(message, this.#tools.clock.now())) this.#intake.takeDue([message])
    else void this.#letGo([message.id])
  }

  /** The turn is on disk: now, and only now, the world may see what it asks for. */
  #recorded(turn: Turn, held: boolean): void {
    const { message, revokes } = turn
    this.#tools.onTurn(turn)
    this.#callers.tell(message)
    for (const order of revokes) void this.#revoke(message, order)
    if (held) this.#screen.pass(message)
    else if (message.journey.dueAt !== null) this.#due.expect(message.journey.dueAt)
  }

  /** Should this fail, or the process die first, the store hands them over again to the next node. */
  #tellOvertakers(overtakers: readonly AddressedReceipt[]): void {
    if (overtakers.length === 0) return
    this.tell(overtakers).catch((error: Error) => {
      this.#tools.log.error({ error }, 'receipts that came early could not be told')
    })
  }

  async #revoke(message: Message, { step, carrierId, refs }: RevokeOrder): Promise<void> {
    const carrier = this.#tools.fleet.get(carrierId)
    if (carrier?.revoke === undefined) return
    const sender = message.plan[step]?.sender ?? ''
    const { asked, detail } = await carrier.revoke({ messageId: message.id, step, phone: message.phone, sender, refs })
    if (!asked) return
    await this.#journeys.tell(message, { kind: 'revoked', at: this.#tools.clock.now(), step, carrierId, detail })
  }
}
