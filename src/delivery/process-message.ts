/**
 * What happens to a message that is due, as a list of verbs: process → admit → route → queue → submit → apply. Each verb
 * hands the message to the next one. Whatever happens to it is applied as an event; what the event leads to begins only
 * when it is on disk, with `process` again (pump.ts).
 */
import type { Directory } from '../domain/directory.ts'
import type { JourneyEvent } from '../domain/journey-event.ts'
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import { isOptedOut, type OptOut } from '../domain/opt-out.ts'
import { tenantOf } from '../domain/tenant.ts'
import { waitAsked } from '../domain/wait-asked.ts'
import type { Carrier } from '../ports/carrier.ts'
import type { Clock } from '../ports/clock.ts'
import type { Clustered } from '../ports/cluster.ts'
import type { DeliveryStore } from '../ports/delivery-store.ts'
import type { Log } from '../ports/log.ts'
import type { Lookup } from '../ports/lookup.ts'
import type { Random } from '../ports/random.ts'
import { blockEvent, canBeOptedOut } from './admission-check.ts'
import { attempt, isSettled, noteVerdicts, openParts } from './attempt.ts'
import { BatchWriter } from './batch-writer.ts'
import type { CarrierFleet } from './carrier-fleet.ts'
import type { CarrierQueue, QueueEntry } from './carrier-queue.ts'
import { CarrierQueues } from './carrier-queues.ts'
import { chooseCarrier, isAnotherLeft, routeOptionsOf } from './choose-carrier.ts'
import type { Enqueuer } from './enqueue.ts'
import type { Transitions } from './transitions.ts'

export interface ProcessorTools {
  readonly store: Pick<DeliveryStore & Clustered, 'findOptOuts' | 'cluster'>
  readonly fleet: CarrierFleet
  readonly transitions: Transitions
  readonly enqueuer: Enqueuer
  readonly directory: () => Directory
  readonly lookup: Lookup
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Messages that wait in memory for a carrier that can take nothing; more wait in the store. */
  readonly maxWaiting: number
  /** A carrier can take messages that could not. */
  readonly onOpened: () => void
}

/** Recipients whose opt-outs are read at once. */
const MAX_RECIPIENTS = 500
/** From so many on, messages that have gone another way are looked for. */
const MAX_FORWARDED = 1_000

export class MessageProcessor {
  readonly queues: CarrierQueues
  readonly #tools: ProcessorTools
  readonly #optOuts: BatchWriter<Message>
  /** Messages that are queued or with a carrier: they are not queued a second time. */
  readonly #working = new Set<MessageId>()
  readonly #attempts = new Set<Promise<void>>()
  /** Messages that a carrier was asked to take and has not answered for yet. */
  readonly #onTheWire = new Set<MessageId>()
  /** Messages that another node has forwarded, until they were tried here. */
  readonly #forwarded = new Set<MessageId>()
  #isClosed = false

  constructor(tools: ProcessorTools) {
    this.#tools = tools
    this.#optOuts = new BatchWriter(tools, 'questions for opt-outs', MAX_RECIPIENTS, (batch) => this.#admitAll(batch))
    const mayAct = () => tools.store.cluster?.mayAct() ?? true
    this.queues = new CarrierQueues({ ...tools, mayAct }, this)
  }

  get idle(): boolean {
    return this.#optOuts.idle && this.#working.size === 0 && this.#attempts.size === 0
  }

  isOnTheWire(id: MessageId): boolean {
    return this.#onTheWire.has(id)
  }

  /** Takes a message that this node holds. Simulated phones belong to no recipient, so test messages are not checked. */
  process(message: Message): void {
    const { directory, clock } = this.#tools
    if (message.test) {
      this.#route(message)
      return
    }
    const blocked = message.journey.phase === 'open' ? blockEvent(message, directory(), clock.now()) : null
    if (blocked !== null) this.#apply(message, blocked)
    else if (canBeOptedOut(message, directory())) this.#optOuts.add(message)
    else this.#route(message)
  }

  /** Other nodes have forwarded these, for they do not have their carrier. */
  expectForwarded(ids: readonly MessageId[]): void {
    for (const id of ids) this.#forwarded.add(id)
    if (this.#forwarded.size < MAX_FORWARDED) return
    for (const id of this.#forwarded) if (this.#tools.transitions.here(id) === undefined) this.#forwarded.delete(id)
  }

  /** Queues nothing more and empties the queues. */
  close(): void {
    this.#isClosed = true
    for (const { id } of this.queues.close()) this.#working.delete(id)
  }

  /** Resolves once every attempt under way is recorded. */
  async drained(): Promise<void> {
    await Promise.allSettled(this.#attempts)
  }

  /** Resolves once no opt-outs are read any more. */
  admitted(): Promise<void> {
    return this.#optOuts.close()
  }

  /** For the queues: a message that was taken out of one without an attempt is routed again. */
  requeue({ id }: QueueEntry): void {
    this.#working.delete(id)
    const message = this.#tools.transitions.here(id)
    if (message !== undefined) this.#route(message)
  }

  /** For the queues: the lifetime of the message ended while it was queued. */
  expire({ id }: QueueEntry): void {
    this.#working.delete(id)
    const { transitions, clock } = this.#tools
    void transitions.apply(transitions.here(id), { kind: 'timeout', at: clock.now() })
  }

  /** For the queues: it is the message's turn. Resolves once the attempt is recorded. */
  submit(entry: QueueEntry, carrier: Carrier, queue: CarrierQueue): Promise<void> {
    const attempted = this.#submit(entry, carrier, queue)
    this.#attempts.add(attempted)
    return attempted.finally(() => this.#attempts.delete(attempted))
  }

  /** Reads the opt-outs of many recipients at once, and only of accounts that have any. */
  async #admitAll(batch: readonly Message[]): Promise<void> {
    const { store, transitions } = this.#tools
    const recipients = new Map(batch.map((message) => [recipientOf(message), message]))
    const found = Map.groupBy(await store.findOptOuts([...recipients.values()]), recipientOf)
    for (const message of batch) {
      this.#admit(transitions.here(message.id) ?? message, found.get(recipientOf(message)) ?? [])
    }
  }

  #admit(message: Message, optOuts: readonly OptOut[]): void {
    const { step } = message.journey
    const blocked = message.plan.flatMap(({ channel, sender }, index) =>
      channel !== 'call' && isOptedOut(optOuts, sender) ? [index] : [],
    )
    if (!blocked.includes(step)) {
      this.#route(message)
      return
    }
    const at = this.#tools.clock.now()
    this.#apply(message, { kind: 'filtered', at, step, blocked, reason: 'the person has opted out' })
  }

  /**
   * Chooses the carrier, unless the message is queued already or has nothing to be tried. The deadline is not checked: a
   * clock that was set back must not make a held message be forgotten.
   */
  #route(message: Message): void {
    const { id, journey } = message
    if (this.#isClosed || this.#working.has(id) || journey.phase !== 'open') return
    const choice = chooseCarrier(message, this.#forwarded.has(id), this.#tools)
    switch (choice.kind) {
      case 'nobody': {
        const at = this.#tools.clock.now()
        this.#apply(message, { kind: 'unroutable', at, step: journey.step, reason: choice.reason })
        return
      }
      case 'elsewhere':
        this.#wait(message, choice.candidates)
        return
      case 'here':
        if (this.queues.isFull(choice.carrier)) this.#wait(message, choice.candidates)
        else this.#queue(message, choice.carrier)
    }
  }

  /** The message waits in the store for one of these carriers: they are with other nodes, or cannot take it now. */
  #wait(message: Message, carriers: readonly string[]): void {
    this.#forwarded.delete(message.id)
    this.#tools.enqueuer.wait(message, carriers)
  }

  #queue(message: Message, carrier: Carrier): void {
    const { id, journey } = message
    this.#working.add(id)
    const weight = Math.min(carrier.window, openParts(message).length)
    this.queues.push(carrier, { id, tenant: tenantOf(message), weight, deadlineAt: journey.deadlineAt })
  }

  /** Checks once more what may have changed while the message was queued, then gives it to the carrier. */
  async #submit(entry: QueueEntry, carrier: Carrier, queue: CarrierQueue): Promise<void> {
    const { transitions, clock, directory } = this.#tools
    this.#forwarded.delete(entry.id)
    const message = transitions.here(entry.id)
    if (message === undefined || message.journey.phase !== 'open') {
      this.#working.delete(entry.id)
      return
    }
    if (clock.now() >= message.journey.deadlineAt) {
      this.expire(entry)
      return
    }
    const blocked = blockEvent(message, directory(), clock.now())
    if (blocked !== null) {
      this.#working.delete(entry.id)
      await transitions.apply(message, blocked)
      return
    }
    const event = await this.#attempt(message, carrier, queue)
    this.#working.delete(entry.id)
    await transitions.apply(message, event)
  }

  /** Returns what the carrier answered, as an event. What it says of the carrier's health is noted here. */
  async #attempt(message: Message, carrier: Carrier, queue: CarrierQueue): Promise<JourneyEvent> {
    const { fleet } = this.#tools
    const breaker = fleet.breakerOf(carrier.id)
    breaker?.begin()
    this.#onTheWire.add(message.id)
    const anotherLeft = () => isAnotherLeft(message, carrier.id, this.#tools)
    const options = { ...routeOptionsOf(message, carrier.id, this.#tools), anotherLeft }
    const answered = await attempt(message, carrier, options, this.#tools)
    this.#onTheWire.delete(message.id)
    const { verdicts } = answered
    for (const verdict of verdicts) if (verdict.kind === 'slow') queue.pause(waitAsked(verdict, 1, answered.jitter))
    fleet.rateOf(carrier.id)?.add(verdicts.filter(isSettled).length)
    if (breaker !== undefined) noteVerdicts(breaker, verdicts)
    const leavesSlow = carrier.channel === 'call' || breaker?.degraded?.slow === true
    const mayMove = verdicts.some(({ kind }) => kind === 'unreachable' || (kind === 'slow' && leavesSlow))
    return { ...answered, anotherLeft: mayMove && anotherLeft() }
  }

  #apply(message: Message, event: JourneyEvent): void {
    void this.#tools.transitions.apply(message, event)
  }
}

function recipientOf({ accountId, phone }: Pick<OptOut, 'accountId' | 'phone'>): string {
  return `${accountId} ${phone}`
}
