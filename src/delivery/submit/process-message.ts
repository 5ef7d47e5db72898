/**
 * Brings a due message to its carrier in two stretches. `process` applies the rules, asks for opt-outs and chooses a
 * carrier; then the message waits in the carrier's queue. `submit` looks again, also for opt-outs if it has waited,
 * submits, learns from the answer and records it as an event, whose effects begin once it is on disk, with `process`
 * again (pump.ts).
 */
import type { OptOut } from '../../domain/consent/opt-out.ts'
import type { Directory } from '../../domain/directory/directory.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import { waitAsked } from '../../domain/journey/wait-asked.ts'
import type { JourneyEvent, Verdict } from '../../domain/message/journey-event.ts'
import { classOfTenant, type Message, tenantOf } from '../../domain/message/message.ts'
import { gravestOf } from '../../domain/message/verdicts.ts'
import { IdMap } from '../../domain/structures/id-map.ts'
import type { Attempted } from '../../ports/carriers/attempted.ts'
import type { Carrier, Submission } from '../../ports/carriers/carrier.ts'
import type { Lookup } from '../../ports/carriers/lookup.ts'
import type { Recipient } from '../../ports/hooks/outbox.ts'
import type { Clustered } from '../../ports/records/cluster.ts'
import type { DeliveryStore } from '../../ports/stores/delivery-store.ts'
import type { SetupStore } from '../../ports/stores/setup-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import type { Random } from '../../ports/system/random.ts'
import type { Breaker } from '../carriers/breaker.ts'
import type { CarrierFleet } from '../carriers/carrier-fleet.ts'
import type { CarrierQueue, QueueEntry } from '../carriers/carrier-queue.ts'
import { CarrierQueues } from '../carriers/carrier-queues.ts'
import { SenderQueues, senderQueueId } from '../carriers/sender-queues.ts'
import { type OptOutInEvent, recordCarrierOptOut } from '../consent/carrier-consent.ts'
import type { Enqueuer, StoreQueue } from '../turns/enqueue.ts'
import type { Transitions } from '../turns/transitions.ts'
import { blockEvent } from './admission-check.ts'
import { isOptOut, isSettled, noteVerdicts, openParts, type PartVerdict, toSubmission, verdictsOf } from './attempt.ts'
import { chooseCarrier, isAnotherLeft, noteOfChoice, ringSecondsOf } from './choose-carrier.ts'
import { OptOutCheck } from './opt-out-check.ts'
import { ratedSender, registrationOf, shownSender } from './shown-sender.ts'

export interface ProcessorTools {
  readonly store: Pick<DeliveryStore & Clustered, 'findOptOuts' | 'cluster'> & Pick<SetupStore, 'change'>
  readonly refresh: () => Promise<void>
  readonly fleet: CarrierFleet
  readonly transitions: Transitions
  readonly enqueuer: Enqueuer
  readonly directory: () => Directory
  readonly lookup: Lookup
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Maximum of messages in memory for a carrier that can take nothing; more wait in the store. */
  readonly maxWaiting: number
  /** Of 100 places, those that each lower class keeps (domain/message/class-queue.ts). */
  readonly lowerShare: number
  /** Called when a carrier can take messages again. */
  readonly onOpened: () => void
  /** Called when a carrier has answered a submission, for metrics. */
  readonly onAttempt?: (attempted: Attempted) => void
}

/** The place of a message in the window of its carrier. */
interface WindowPlace {
  readonly entry: QueueEntry
  readonly queue: CarrierQueue
}

interface AnswerWithOptOut {
  readonly verdicts: readonly PartVerdict[]
  /** Null if there is none. */
  readonly optOut: OptOutInEvent | null
}

/** One sender with a rate may have this part of the messages that may wait for a carrier. */
const SENDERS_PART = 4
/** Above this number, messages that this node no longer has are removed from the set. */
const MAX_FORWARDED = 1_000

export class MessageProcessor {
  readonly queues: CarrierQueues
  readonly #senders: SenderQueues
  readonly #tools: ProcessorTools
  readonly #optOuts: OptOutCheck
  /** Messages that are queued or with a carrier, so that none is queued twice; and whether it is with the carrier. */
  readonly #working = new IdMap<MessageId, boolean>()
  /** Attempts that are not recorded yet. */
  #attempts = 0
  #whenDrained: (() => void) | null = null
  /** Messages that another node has forwarded, until their first attempt here. */
  readonly #forwarded = new Set<MessageId>()
  /** The senders by which the queued messages were routed (Directory.senderTag). */
  #senderTag: string
  #isClosed = false

  constructor(tools: ProcessorTools) {
    this.#tools = tools
    this.#optOuts = new OptOutCheck(tools)
    const { cluster } = tools.store
    const nodes = () => cluster?.deliveringNodes ?? 1
    const maxWaiting = Math.ceil(tools.maxWaiting / SENDERS_PART)
    const senders = new SenderQueues({ ...tools, nodes, maxWaiting }, this)
    this.#senders = senders
    this.#senderTag = tools.directory().senderTag
    this.queues = new CarrierQueues(
      {
        ...tools,
        mayAct: () => cluster?.mayAct() ?? true,
        openSenders: () => senders.withRoom(tools.directory().ratedSenders),
      },
      this,
    )
  }

  get idle(): boolean {
    return this.#optOuts.idle && this.#working.size === 0 && this.#attempts === 0
  }

  isOnTheWire(id: MessageId): boolean {
    return this.#working.get(id) === true
  }

  /** Processes a message that this node holds. */
  process(message: Message): void {
    const event = this.#ruleOf(message)
    if (event !== null) this.#apply(message, event)
    else if (this.#optOuts.concerns(message)) this.#optOuts.read(message, (...read) => this.#admit(message, ...read))
    else this.#route(message, this.#tools.clock.monotonic())
  }

  /** Notes recipients whose opt-outs this gateway has stored: what waits for them is looked at again. */
  noteOptOuts(recipients: readonly Recipient[]): void {
    this.#optOuts.note(recipients)
  }

  /** Notes messages that nodes without their carrier have forwarded. */
  expectForwarded(ids: readonly MessageId[]): void {
    for (const id of ids) this.#forwarded.add(id)
    if (this.#forwarded.size < MAX_FORWARDED) return
    for (const id of this.#forwarded) if (this.#tools.transitions.here(id) === undefined) this.#forwarded.delete(id)
  }

  /** Queues nothing more and empties the queues. */
  close(): void {
    this.#isClosed = true
    for (const { id } of [...this.queues.close(), ...this.#senders.clear()]) this.#working.delete(id)
  }

  /** Routes messages again that are queued for these carriers, and those of senders with a rate if senders changed. */
  reroute(carrierIds: readonly string[]): void {
    this.queues.reroute(carrierIds)
    const { senderTag } = this.#tools.directory()
    if (senderTag === this.#senderTag) return
    this.#senderTag = senderTag
    this.#senders.requeue()
  }

  /** Resolves once every current attempt is recorded. */
  async drained(): Promise<void> {
    if (this.#attempts > 0) await new Promise<void>((resolve) => (this.#whenDrained = resolve))
  }

  /** Resolves once all reads of opt-outs have ended. */
  admitted(): Promise<void> {
    return this.#optOuts.close()
  }

  /** Called by the queues: routes a message again that was removed without an attempt. */
  requeue({ id, readAt }: QueueEntry): void {
    this.#working.delete(id)
    const message = this.#tools.transitions.here(id)
    if (message !== undefined) this.#route(message, readAt)
  }

  /** Called by the queues: ends the step of a message whose lifetime ended while it was queued. */
  expire({ id }: QueueEntry): void {
    this.#working.delete(id)
    const { transitions, clock } = this.#tools
    transitions.applyThen(transitions.here(id), { kind: 'timeout', at: clock.now() })
  }

  /** Called by the queues: submits the message, unless it has ended or may no longer be sent. */
  submit(entry: QueueEntry, carrier: Carrier, queue: CarrierQueue): boolean {
    const message = this.#lookAgain(entry)
    if (message === null) return false
    const blocked = this.#blockOf(message)
    if (blocked === null && !this.#isInRate(message, entry)) return false
    if (blocked === null && this.#optOuts.isOutdated(message, entry.readAt)) {
      this.#optOuts.read(message, (...read) => this.#submitRead(carrier, { entry, queue }, ...read))
    } else this.#begin(message, carrier, { entry, queue }, blocked)
    return true
  }

  /** Submits a message for which opt-outs were read again while it had its place in the window. */
  #submitRead(carrier: Carrier, place: WindowPlace, optOuts: readonly OptOut[], readAt: number): void {
    const entry = { ...place.entry, readAt }
    const { queue } = place
    const message = this.#isClosed ? null : this.#lookAgain(entry)
    if (message !== null && queue.mayStart()) {
      const blocked = this.#blockOf(message) ?? this.#optOuts.eventOf(message, optOuts)
      this.#begin(message, carrier, { entry, queue }, blocked)
      return
    }
    if (message !== null) this.requeue(entry)
    else if (this.#isClosed) this.#working.delete(entry.id)
    queue.ended(entry)
  }

  /** Attempts the message, unless an event blocks it. */
  #begin(message: Message, carrier: Carrier, place: WindowPlace, blocked: JourneyEvent | null): void {
    this.#attempts += 1
    if (blocked !== null) this.#record(message, blocked, place)
    else void this.#attempt(message, carrier, place)
  }

  #blockOf(message: Message): JourneyEvent | null {
    const { directory, clock } = this.#tools
    return blockEvent(message, directory(), clock.now())
  }

  /** Returns the event of a rule that keeps the message from being sent now, or that no longer does; null if none. */
  #ruleOf(message: Message): JourneyEvent | null {
    const { phase, postponed } = message.journey
    if (phase !== 'open') return null
    const { directory, clock } = this.#tools
    const now = clock.now()
    // Test messages are not checked: their phones are simulated.
    const blocked = message.test ? null : blockEvent(message, directory(), now)
    if (blocked !== null) return blocked
    return postponed !== undefined && postponed.until > now ? { kind: 'resumed', at: now, by: 'rules' } : null
  }

  #admit(before: Message, optOuts: readonly OptOut[], readAt: number): void {
    const message = this.#tools.transitions.here(before.id) ?? before
    const event = this.#optOuts.eventOf(message, optOuts)
    if (event === null) this.#route(message, readAt)
    else this.#apply(message, event)
  }

  /**
   * Chooses the carrier, unless the message is queued already or not open. Does not check the deadline: after a clock
   * was set back, a held message must not be dropped. `readAt`: when its opt-outs were read (QueueEntry).
   */
  #route(message: Message, readAt: number): void {
    const { id, journey } = message
    if (this.#isClosed || this.#working.has(id) || journey.phase !== 'open') return
    const directory = this.#tools.directory()
    if (!directory.maySend(message.accountId)) {
      this.#wait(message, { rules: directory.rulesOf(message.accountId) })
      return
    }
    const choice = chooseCarrier(message, this.#forwarded.has(id), this.#tools)
    switch (choice.kind) {
      case 'none': {
        const at = this.#tools.clock.now()
        this.#apply(message, { kind: 'unroutable', at, step: journey.step, reason: choice.reason })
        return
      }
      case 'elsewhere':
        this.#wait(message, { carriers: choice.candidates })
        return
      case 'here':
        if (this.queues.isFull(choice.carrier)) this.#wait(message, { carriers: choice.candidates })
        else this.#queue(message, choice.carrier, readAt)
    }
  }

  /** Returns whether the rate of its sender allows to submit the message now; otherwise it waits for its turn. */
  #isInRate(message: Message, { readAt }: QueueEntry): boolean {
    const sender = ratedSender(message, this.#tools.directory())
    if (sender === null) return true
    const [queue, entry] = [this.#senders.of(sender), entryOf(message, readAt)]
    if (queue.mayStart(entry)) return true
    queue.push(entry)
    return false
  }

  /** Moves the message to the store. */
  #wait(message: Message, queue: StoreQueue): void {
    this.#forwarded.delete(message.id)
    this.#tools.enqueuer.wait(message, queue)
  }

  /** Queues the message for its carrier, or first for its sender if that has a rate. */
  #queue(message: Message, carrier: Carrier, readAt: number): void {
    const entry = entryOf(message, readAt)
    const sender = ratedSender(message, this.#tools.directory())
    const queue = sender === null ? null : this.#senders.of(sender)
    if (sender !== null && queue !== null && !queue.isLeaving(entry.id)) {
      if (queue.isFullFor(entry.tenant)) {
        this.#wait(message, { carriers: [senderQueueId(sender, classOfTenant(entry.tenant))] })
        return
      }
      this.#working.set(entry.id, false)
      queue.push(entry)
      return
    }
    this.#working.set(entry.id, false)
    this.queues.push(carrier, { ...entry, weight: Math.min(carrier.window, entry.weight) })
  }

  /** Returns the queued message if it may still be submitted; what else becomes of it is done. */
  #lookAgain(entry: QueueEntry): Message | null {
    const { transitions, clock, directory } = this.#tools
    this.#forwarded.delete(entry.id)
    const message = transitions.here(entry.id)
    if (message === undefined || message.journey.phase !== 'open') this.#working.delete(entry.id)
    else if (clock.now() >= message.journey.deadlineAt) this.expire(entry)
    else if (!directory().maySend(message.accountId)) this.requeue(entry)
    else return message
    return null
  }

  async #attempt(message: Message, carrier: Carrier, place: WindowPlace): Promise<void> {
    const { fleet, clock, random, onAttempt } = this.#tools
    const breaker = fleet.breakerOf(carrier.id)
    breaker?.begin()
    this.#working.set(message.id, true)
    const submittedAt = clock.now()
    const startedAt = clock.monotonic()
    const submission = this.#prepare(message, carrier, place.entry)
    const answers = verdictsOf(submission, await answerOf(carrier, submission))
    const { verdicts, optOut } = answers.some(isOptOut)
      ? await this.#recordOptOut(message, submission.step, answers)
      : { verdicts: answers, optOut: null }
    const at = clock.now()
    const tookMs = clock.monotonic() - startedAt
    const gravest = gravestOf(verdicts)
    // Only a retry needs it.
    const jitter = gravest === null ? 0 : random.below(1_000) / 1_000
    onAttempt?.({ message, carrier, submittedAt, tookMs, verdict: gravest?.kind ?? 'taken' })
    for (const verdict of verdicts) if (verdict.kind === 'slow') place.queue.pause(waitAsked(verdict, 1, jitter))
    fleet.rateOf(carrier.id)?.add(verdicts.filter(isSettled).length)
    if (breaker !== undefined) noteVerdicts(breaker, verdicts)
    const anotherLeft = mayMove(carrier, breaker, verdicts) && isAnotherLeft(message, carrier.id, this.#tools)
    const { step, sender: from } = submission
    const event = { kind: 'answered', at, step, carrierId: carrier.id, from, verdicts, anotherLeft, jitter } as const
    const note = noteOfChoice(message, carrier.id, this.#tools)
    this.#record(message, { ...event, ...optOut, ...(note === undefined ? {} : { note }) }, place)
  }

  /** An opt-out that the store does not take is asked for again, rather than forgotten. */
  async #recordOptOut(message: Message, step: number, verdicts: readonly PartVerdict[]): Promise<AnswerWithOptOut> {
    try {
      return { verdicts, optOut: await recordCarrierOptOut(message, step, { ...this.#tools, pump: this }) }
    } catch (error) {
      this.#tools.log.error({ error: error as Error }, 'an opt-out at the carrier could not be recorded')
      const reason = 'the opt-out could not be recorded'
      const again = verdicts.map((each) =>
        isOptOut(each) ? ({ kind: 'unclear', reason, aboutMessage: true, part: each.part } as const) : each,
      )
      return { verdicts: again, optOut: null }
    }
  }

  #prepare(message: Message, { id }: Carrier, { readAt }: QueueEntry): Submission {
    const directory = this.#tools.directory()
    const sender = shownSender(message, directory)
    return toSubmission(message, {
      now: this.#tools.clock.now(),
      sender,
      registration: registrationOf(message, sender, directory),
      ringSeconds: ringSecondsOf(message, id, this.#tools),
      anotherLeft: () => isAnotherLeft(message, id, this.#tools),
      maySend: () => this.#tools.directory().maySend(message.accountId) && !this.#optOuts.hasChanged(message, readAt),
    })
  }

  /** Applies what became of an attempt; its place in the window is free once that is recorded. */
  #record(message: Message, event: JourneyEvent, { entry, queue }: WindowPlace): void {
    this.#working.delete(entry.id)
    this.#tools.transitions.applyThen(message, event, () => {
      this.#attempts -= 1
      if (this.#attempts === 0) this.#whenDrained?.()
      queue.ended(entry)
    })
  }

  #apply(message: Message, event: JourneyEvent): void {
    this.#tools.transitions.applyThen(message, event)
  }
}

/** Weighs all open parts, even those that are more than the window of a carrier. */
function entryOf(message: Message, readAt: number): QueueEntry {
  const { id, journey } = message
  return { id, tenant: tenantOf(message), weight: openParts(message).length, deadlineAt: journey.deadlineAt, readAt }
}

async function answerOf(carrier: Carrier, submission: Submission): Promise<readonly Verdict[] | Error> {
  try {
    return await carrier.submit(submission)
  } catch (error) {
    return error as Error
  }
}

/** Whether another carrier should have the message, if one is left. */
function mayMove({ channel }: Carrier, breaker: Breaker | undefined, verdicts: readonly Verdict[]): boolean {
  const leavesSlow = channel === 'call' || breaker?.degraded?.slow === true
  return verdicts.some(({ kind }) => kind === 'unreachable' || (kind === 'slow' && leavesSlow))
}
