/**
 * The carriers of a simulated world. They survive the gateway's crashes, go down and come back, lose answers, duplicate
 * and delay receipts, and record every part that they took and every delivery that the gateway has acknowledged.
 */
import type { MessageChannel } from '../../src/domain/channels/channel.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { ReceiptOutcome, Verdict } from '../../src/domain/message/journey-event.ts'
import type { Message } from '../../src/domain/message/message.ts'
import type { Carrier, CarrierReceipt, CarrierState, Inbox, Submission } from '../../src/ports/carriers/carrier.ts'
import type { VirtualClock } from '../support/virtual-clock.ts'
import type { Luck } from './luck.ts'

const WINDOW = 4

interface Flight {
  readonly submission: Submission
  /** The parts that the network took, whether or not the gateway knows. */
  readonly taken: readonly number[]
  /** The refs that the answer contains. */
  readonly refs: readonly string[]
  answered: boolean
}

interface Place {
  readonly submission: Submission
  readonly part: number
  /** The gateway has recorded on disk that the ref belongs to it. */
  recorded: boolean
  /** The gateway acknowledged its delivery. */
  delivered: boolean
}

export class Network {
  /** `message step part` → how often the network took it. */
  readonly taken = new Map<string, number>()
  /** `message step part` → how often it may have been sent again: answers lost, crashes with it in flight. */
  readonly excuses = new Map<string, number>()
  /** Messages of which the gateway acknowledged a delivery of a whole step. */
  readonly acknowledged = new Set<MessageId>()
  readonly violations: string[] = []
  /** `message step part` → how often the network took it and a crash lost the answer. */
  readonly #crashed = new Map<string, number>()
  /** Messages that a client cancelled successfully. */
  readonly #takenBack = new Set<MessageId>()
  readonly #clock: VirtualClock
  readonly #random: Luck
  /** Carriers that are down, and until when. */
  readonly #awayUntil = new Map<string, number>()
  readonly #unacknowledged = new Set<CarrierReceipt>()
  /** In flight, or answered since the world was last idle. */
  #flights: Flight[] = []
  #inbox: Inbox | null = null
  #refs = 0
  readonly #places = new Map<string, Place>()
  readonly #deliveredParts = new Map<string, Set<number>>()
  readonly #accepted: (id: MessageId) => Message | undefined

  /** `accepted` returns a message as it was when it was accepted. */
  constructor(clock: VirtualClock, random: Luck, accepted: (id: MessageId) => Message | undefined) {
    this.#clock = clock
    this.#random = random
    this.#accepted = accepted
  }

  carrier(id: string, channel: MessageChannel): Carrier {
    return {
      id,
      channel,
      window: WINDOW,
      start: (inbox) => this.#connect(inbox),
      submit: (submission) => this.#submit(id, submission),
      state: (): CarrierState => {
        const nothing = { since: 0, inFlight: 0, lastError: null, lastErrorAt: null, throughput: null, links: [] }
        return { up: !this.#isAway(id), ...nothing }
      },
      stop: async () => {},
    }
  }

  /** The gateway crashed: submissions in flight may be sent twice, and receipts are repeated to its next process. */
  crash(): void {
    this.#inbox = null
    for (const { submission, taken } of this.#flights)
      for (const part of taken) {
        count(this.excuses, placeKey(submission, part))
        count(this.#crashed, placeKey(submission, part))
      }
    this.#flights = []
  }

  /** A client cancelled the message successfully: no recipient may get it, except because of a crash. */
  takenBack(id: MessageId): void {
    this.#takenBack.add(id)
    for (const [place, times] of this.taken) {
      if (!place.startsWith(`${id} `) || times <= (this.#crashed.get(place) ?? 0)) continue
      this.violations.push(`message ${id} was cancelled although ${place} was taken`)
    }
  }

  /** Everything that was answered is on disk now, and the gateway knows the refs that it received. */
  rest(): void {
    for (const { refs, answered } of this.#flights)
      if (answered) for (const ref of refs) this.#learn(ref, { recorded: true })
    this.#flights = this.#flights.filter((flight) => !flight.answered)
  }

  #connect(inbox: Inbox): void {
    this.#inbox = inbox
    for (const receipt of this.#unacknowledged) this.#clock.after(this.#random.below(2_000), () => this.#send(receipt))
  }

  #submit(carrierId: string, submission: Submission): Promise<readonly Verdict[]> {
    if (this.acknowledged.has(submission.messageId)) {
      this.violations.push(`message ${submission.messageId} was submitted after its delivery`)
    }
    const message = this.#accepted(submission.messageId)
    if (this.#clock.now() < (message?.journey.sendAt ?? 0)) {
      this.violations.push(`message ${submission.messageId} was submitted before its time`)
    }
    if (submission.lifetimeSeconds > (message?.plan[submission.step]?.lifetimeSeconds ?? 0)) {
      this.violations.push(`message ${submission.messageId} was given more than its lifetime`)
    }
    if (this.#takenBack.has(submission.messageId)) {
      this.violations.push(`message ${submission.messageId} was submitted after it was cancelled`)
    }
    if (this.#isAway(carrierId)) this.violations.push(`${carrierId} was asked while it said that it was away`)
    if (this.#random.chance(4)) this.#goAway(carrierId)
    const outcomes = submission.parts.map((part) => this.#judge(carrierId, submission, part))
    const flight: Flight = {
      submission,
      taken: outcomes.flatMap((each) => (each.taken ? [each.part] : [])),
      refs: outcomes.flatMap(({ verdict }) => (verdict.kind === 'taken' ? [verdict.ref] : [])),
      answered: false,
    }
    this.#flights.push(flight)
    return new Promise((answer) => {
      this.#clock.after(this.#random.below(400), () => {
        flight.answered = true
        answer(outcomes.map((each) => each.verdict))
      })
    })
  }

  #isAway(carrierId: string): boolean {
    return (this.#awayUntil.get(carrierId) ?? 0) > this.#clock.now()
  }

  /** Submissions in flight get their answers; the next submission finds the carrier down. */
  #goAway(carrierId: string): void {
    const forMs = this.#random.chance(80) ? 1 + this.#random.below(10_000) : 100_000
    this.#awayUntil.set(carrierId, this.#clock.now() + forMs)
  }

  #judge(carrierId: string, submission: Submission, part: number): { part: number; taken: boolean; verdict: Verdict } {
    // Takes the carrier down after one part, or for all of them.
    if (this.#isAway(carrierId) || this.#random.chance(8))
      return { part, taken: false, verdict: { kind: 'unreachable', reason: 'connection refused' } }
    const luck = this.#random.below(100)
    if (luck < 70)
      return { part, taken: true, verdict: { kind: 'taken', ref: this.#take(carrierId, submission, part) } }
    if (luck < 76) {
      this.#take(carrierId, submission, part)
      count(this.excuses, placeKey(submission, part))
      return { part, taken: true, verdict: { kind: 'unclear', reason: 'the answer was lost' } }
    }
    if (luck < 84) return { part, taken: false, verdict: { kind: 'unclear', reason: 'no answer' } }
    if (luck < 92) return { part, taken: false, verdict: { kind: 'slow', reason: 'slow down', retryAfterMs: null } }
    return { part, taken: false, verdict: { kind: 'refused', status: 'UNDELIVERABLE', reason: 'not here' } }
  }

  #take(carrierId: string, submission: Submission, part: number): string {
    this.#refs += 1
    const ref = `r${this.#refs}`
    count(this.taken, placeKey(submission, part))
    this.#places.set(ref, { submission, part, recorded: false, delivered: false })
    for (const { outcome, afterMs } of this.#plannedReceipts(submission)) {
      const receipt: CarrierReceipt = { carrierId, ref, outcome, detail: outcome }
      this.#unacknowledged.add(receipt)
      this.#clock.after(afterMs, () => this.#send(receipt))
    }
    return ref
  }

  #plannedReceipts({ lifetimeSeconds }: Submission): { outcome: ReceiptOutcome; afterMs: number }[] {
    const afterMs = this.#random.chance(20) ? 0 : this.#random.below(3_000)
    const luck = this.#random.below(100)
    if (luck < 45) return [{ outcome: 'delivered', afterMs }]
    if (luck < 55)
      return [
        { outcome: 'delivered', afterMs },
        { outcome: 'delivered', afterMs: afterMs + 100 },
      ]
    if (luck < 63)
      return [
        { outcome: 'read', afterMs },
        { outcome: 'delivered', afterMs: afterMs + 500 },
      ]
    if (luck < 70)
      return [
        { outcome: 'delivered', afterMs },
        { outcome: 'read', afterMs: afterMs + 500 },
      ]
    if (luck < 75) return [{ outcome: 'delivered', afterMs: lifetimeSeconds * 1000 + this.#random.below(5_000) }]
    if (luck < 80)
      return [
        { outcome: 'accepted', afterMs },
        { outcome: 'unknown', afterMs: afterMs + 50 },
      ]
    if (luck < 90) return [{ outcome: this.#random.pick(['undeliverable', 'expired', 'rejected'] as const), afterMs }]
    return []
  }

  /** At least once: a receipt is repeated until the gateway acknowledges that it is on disk. */
  #send(receipt: CarrierReceipt): void {
    const inbox = this.#inbox
    if (inbox === null || !this.#unacknowledged.has(receipt)) return
    inbox.receive([receipt]).then(
      () => {
        this.#unacknowledged.delete(receipt)
        if (receipt.outcome === 'delivered' || receipt.outcome === 'read') this.#learn(receipt.ref, { delivered: true })
      },
      () => this.#clock.after(1_000, () => this.#send(receipt)),
    )
  }

  /** Once every part of a step is reported as delivered, the gateway knows that the recipient has the message. */
  #learn(ref: string, news: Partial<Pick<Place, 'recorded' | 'delivered'>>): void {
    const place = this.#places.get(ref)
    if (place === undefined) return
    Object.assign(place, news)
    if (!place.recorded || !place.delivered) return
    const { messageId, step } = place.submission
    const key = `${messageId} ${step}`
    const parts = (this.#deliveredParts.get(key) ?? new Set()).add(place.part)
    this.#deliveredParts.set(key, parts)
    if (parts.size === (this.#accepted(messageId)?.plan[step]?.parts ?? 1)) this.acknowledged.add(messageId)
  }
}

function placeKey(submission: Pick<Submission, 'messageId' | 'step'>, part: number): string {
  return `${submission.messageId} ${submission.step} ${part}`
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
