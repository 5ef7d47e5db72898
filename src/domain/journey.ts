/**
 * What happens next to a message. `advance` is the only place that decides it: a message and an event in, a turn out.
 * It is pure: no clock, no chance, no store. See docs/message-states.md for the picture.
 */
import type { Posting } from './ledger.ts'
import { beginStep, type Journey, type Message, type PartState, type StepState } from './message.ts'
import { type Micros, NO_MONEY, toMicros } from './money.ts'
import type { Step } from './plan.ts'
import { type Report, writeClickReport, writeStatusReport } from './report.ts'
import type { Failure, Status } from './status.ts'

/** A carrier's answer for one part of a submission. */
export type Verdict =
  /** The carrier has it, under an id of its own. For a call: the phone rings. */
  | { readonly kind: 'taken'; readonly ref: string }
  /** Final for this step. `UNDELIVERABLE`: the person cannot be reached so; `REJECTED`: the carrier does not want it. */
  | { readonly kind: 'refused'; readonly status: 'UNDELIVERABLE' | 'REJECTED'; readonly reason: string }
  /** Nobody knows, or not at the moment: worth another try. */
  | { readonly kind: 'unclear'; readonly reason: string }
  /** Not taken; the carrier asks to slow down. */
  | { readonly kind: 'slow'; readonly reason: string; readonly retryAfterMs: number | null }

/** `accepted` is news on the way (sent, en route); `read` implies delivered; the others are ends of the part. */
export type ReceiptOutcome = 'accepted' | 'delivered' | 'read' | 'expired' | 'undeliverable' | 'rejected' | 'unknown'

/** What can happen to a message. `at` is milliseconds since 1970, as everywhere. */
export type JourneyEvent =
  | {
      readonly kind: 'answered'
      readonly at: number
      readonly step: number
      readonly carrierId: string
      /** The verdicts with the indexes of the parts that they are about. */
      readonly verdicts: readonly (Verdict & { readonly part: number })[]
      /** From 0 to below 1: spreads the next try. */
      readonly jitter: number
    }
  | { readonly kind: 'unroutable'; readonly at: number; readonly step: number; readonly reason: string }
  | {
      readonly kind: 'receipt'
      readonly at: number
      readonly step: number
      readonly part: number
      readonly carrierId: string
      readonly outcome: ReceiptOutcome
      readonly detail: string
    }
  /** The message's due time may have come: ends the step when its lifetime is over, otherwise changes nothing. */
  | { readonly kind: 'timeout'; readonly at: number }
  | {
      readonly kind: 'revoked'
      readonly at: number
      readonly step: number
      readonly carrierId: string
      readonly detail: string
    }
  | { readonly kind: 'clicked'; readonly at: number; readonly url: string; readonly code: string }

/** All that one event changes, written to the store in one transaction. */
export interface Turn {
  /** The message after it; its journey's version is one more than before. */
  readonly message: Message
  readonly timeline: readonly TimelineEntry[]
  readonly postings: readonly Posting[]
  readonly reports: readonly Report[]
  /** Carriers' ids that receipts will come under. */
  readonly refs: readonly PartRef[]
  /** What is to be asked of a carrier once the turn is on disk. */
  readonly revoke: RevokeOrder | null
}

export interface TimelineEntry {
  readonly at: number
  readonly kind: TimelineKind
  readonly step: number
  readonly carrierId: string | null
  readonly detail: string
}

/** `late` marks news that came after the message had moved on or said the same before: recorded, and nothing else. */
export type TimelineKind =
  | 'taken'
  | 'refused'
  | 'unclear'
  | 'slow'
  | 'no route'
  | 'accepted'
  | 'delivered'
  | 'read'
  | 'failed'
  | 'expired'
  | 'late'
  | 'revoked'
  | 'clicked'

export interface PartRef {
  readonly carrierId: string
  readonly ref: string
  readonly step: number
  readonly part: number
}

export interface RevokeOrder {
  readonly step: number
  readonly carrierId: string
  readonly refs: readonly string[]
}

/** The first wait before another try; doubled each time. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 300_000

/** Decides what an event makes of a message; null when it changes nothing at all. */
export function advance(message: Message, event: JourneyEvent): Turn | null {
  const turn = new TurnDraft(message, event.at)
  switch (event.kind) {
    case 'answered':
      return turn.answered(event)
    case 'unroutable':
      return turn.unroutable(event)
    case 'receipt':
      return turn.receipt(event)
    case 'timeout':
      return turn.timeout()
    case 'revoked':
      turn.note('revoked', event.step, event.carrierId, event.detail)
      return turn.done()
    case 'clicked':
      turn.note('clicked', message.journey.step, null, event.url)
      turn.report((seen, number) => writeClickReport(seen, event, number))
      return turn.done()
  }
}

/**
 * How long to wait before the next try, milliseconds: what the carrier asks for, or 1 s, 2 s, 4 s … 5 min by the number
 * of answered attempts (1 or more), less up to a fifth. A carrier's wish is never less than a second: "at once" would make tries race.
 */
export function waitAsked(verdict: Verdict | null, attempts: number, jitter: number): number {
  if (verdict?.kind === 'slow' && verdict.retryAfterMs !== null) return Math.max(verdict.retryAfterMs, FIRST_WAIT_MS)
  return waitAfter(attempts, jitter)
}

export function waitAfter(attempts: number, jitter: number): number {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 20))
  return Math.round(full * (1 - jitter / 5))
}

type Event<Kind extends JourneyEvent['kind']> = Extract<JourneyEvent, { kind: Kind }>

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** A turn while it is being made. Lives inside one call of `advance`. */
class TurnDraft {
  readonly #message: Message
  readonly #now: number
  readonly #journey: Mutable<Journey>
  readonly #steps: StepState[]
  readonly #timeline: TimelineEntry[] = []
  readonly #postings: Posting[] = []
  readonly #reports: Report[] = []
  readonly #refs: PartRef[] = []
  #revoke: RevokeOrder | null = null

  constructor(message: Message, now: number) {
    this.#message = message
    this.#now = now
    this.#steps = [...message.journey.steps]
    this.#journey = { ...message.journey, version: message.journey.version + 1, steps: this.#steps }
  }

  done(): Turn {
    return {
      message: this.#seen(),
      timeline: this.#timeline,
      postings: this.#postings,
      reports: this.#reports,
      refs: this.#refs,
      revoke: this.#revoke,
    }
  }

  answered(event: Event<'answered'>): Turn {
    const { step, carrierId, verdicts } = event
    const current = this.#isCurrent(step) && this.#journey.phase === 'open'
    this.#changeStep(step, { carrierId })
    for (const verdict of verdicts) {
      if (verdict.kind !== 'taken') continue
      this.#refs.push({ carrierId, ref: verdict.ref, step, part: verdict.part })
      if (this.#part(step, verdict.part).state === 'open') {
        this.#changePart(step, verdict.part, { state: 'taken', ref: verdict.ref })
      }
    }
    // A part that another answer has settled meanwhile is no longer judged by this one.
    const gravest = gravestOf(verdicts.filter(({ part }) => this.#part(step, part).state === 'open'))
    this.note(current ? (gravest?.kind ?? 'taken') : 'late', step, carrierId, describe(verdicts))
    if (!current) {
      if (this.#isAbandoned(step) && verdicts.some(mayHaveArrived)) this.#orderRevoke(step)
      return this.done()
    }

    this.#journey.attempts += 1
    if (gravest?.kind === 'refused') {
      this.#failStep(step, gravest.status, gravest.reason)
    } else if (this.#step(step).parts.every((part) => part.state !== 'open')) {
      this.#carried(step)
    } else {
      this.#changeStep(step, { detail: gravest?.reason ?? null })
      const wait = waitAsked(gravest, this.#journey.attempts, event.jitter)
      this.#journey.dueAt = Math.min(this.#now + wait, this.#journey.deadlineAt)
    }
    return this.done()
  }

  unroutable(event: Event<'unroutable'>): Turn | null {
    if (!this.#isCurrent(event.step) || this.#journey.phase !== 'open') return null
    this.note('no route', event.step, null, event.reason)
    this.#failStep(event.step, 'NO ROUTE', event.reason)
    return this.done()
  }

  receipt(event: Event<'receipt'>): Turn | null {
    const { step, part, outcome, carrierId, detail } = event
    if (this.#steps[step]?.parts[part] === undefined) return null
    if (outcome === 'accepted') {
      this.note('accepted', step, carrierId, detail)
    } else if (outcome === 'delivered' || outcome === 'read') {
      this.#partDelivered(event)
    } else if (this.#isCurrent(step) && this.#part(step, part).state !== 'delivered') {
      this.note('failed', step, carrierId, detail)
      this.#changePart(step, part, { state: 'failed' })
      this.#failStep(step, FAILURE_OF[outcome], detail)
    } else {
      this.note('late', step, carrierId, detail)
    }
    return this.done()
  }

  timeout(): Turn | null {
    const { phase, step, deadlineAt } = this.#journey
    if (phase === 'ended' || this.#now < deadlineAt) return null
    const carrierId = this.#step(step).carrierId
    const detail = this.#step(step).detail ?? 'not delivered within its lifetime'
    this.note('expired', step, carrierId, detail)
    this.#orderRevoke(step)
    this.#failStep(step, 'EXPIRED', detail)
    return this.done()
  }

  note(kind: TimelineKind, step: number, carrierId: string | null, detail: string): void {
    this.#timeline.push({ at: this.#now, kind, step, carrierId, detail })
  }

  report(write: (seen: Message, number: number) => Report): void {
    if (this.#message.hook === null) return
    const number = this.#journey.reports
    this.#journey.reports += 1
    this.#reports.push(write(this.#seen(), number))
  }

  /** Every part of the step is with the carrier: SMS is paid for now; a call that rings has arrived. */
  #carried(step: number): void {
    const { channel } = this.#planned(step)
    this.#changeStep(step, { status: 'ACCEPTED', at: this.#now, detail: null })
    if (channel === 'sms') this.#charge(step)
    if (channel === 'call' || this.#isDelivered(step)) {
      this.#deliveredStep(step)
    } else {
      this.#journey.phase = 'carried'
      this.#journey.status = 'ACCEPTED'
      this.#journey.dueAt = this.#journey.deadlineAt
      this.#reportBetween()
    }
  }

  /** The first delivery that we learn of ends the message, whichever step it belongs to. Everything later is a note. */
  #partDelivered(event: Event<'receipt'>): void {
    const { step, part, carrierId, detail } = event
    const outcome = event.outcome === 'read' ? 'read' : 'delivered'
    const wasEnded = this.#journey.phase === 'ended'
    const news = !wasEnded && this.#part(step, part).state !== 'delivered'
    const firstRead =
      outcome === 'read' && this.#journey.status !== 'READ' && (!wasEnded || this.#journey.deliveredBy === step)
    this.note(news || firstRead ? outcome : 'late', step, carrierId, detail)
    if (news) {
      this.#changePart(step, part, { state: 'delivered' })
      if (this.#isDelivered(step)) this.#deliveredStep(step)
    }
    if (firstRead && this.#journey.deliveredBy === step) {
      this.#changeStep(step, { status: 'READ', at: this.#now })
      this.#journey.status = 'READ'
      this.#reportStatus()
    }
  }

  #deliveredStep(step: number): void {
    const current = this.#journey.step
    if (current !== step) {
      this.#orderRevoke(current)
      this.#changeStep(current, { detail: 'no longer needed: an earlier step was delivered' })
    }
    this.#changeStep(step, { status: 'DELIVERED', at: this.#now, detail: null })
    this.#journey.step = step
    this.#journey.deliveredBy = step
    this.#charge(step)
    this.#end('DELIVERED')
  }

  #failStep(step: number, status: Failure, detail: string): void {
    this.#changeStep(step, { status, at: this.#now, detail })
    const next = this.#message.plan[step + 1]
    if (next === undefined) {
      this.#end(status)
      return
    }
    this.#steps.push(beginStep(next.parts, this.#now))
    Object.assign(this.#journey, {
      status: 'QUEUED',
      step: step + 1,
      phase: 'open',
      attempts: 0,
      deadlineAt: this.#now + next.lifetimeSeconds * 1000,
      dueAt: this.#now,
    } satisfies Partial<Journey>)
    this.#reportBetween()
  }

  #end(status: Status): void {
    this.#journey.status = status
    this.#journey.phase = 'ended'
    this.#journey.dueAt = null
    this.#releaseRest()
    this.#reportStatus()
  }

  /** A message pays once, for the first step that earns its price; nothing else can be charged, so the rest is free. */
  #charge(step: number): void {
    if (this.#journey.heldMicros === NO_MONEY) return
    const amountMicros = this.#planned(step).priceMicros
    this.#post('charge', amountMicros)
    this.#journey.chargedMicros = amountMicros
    this.#journey.heldMicros = toMicros(this.#journey.heldMicros - amountMicros)
    this.#releaseRest()
  }

  #releaseRest(): void {
    this.#post('release', this.#journey.heldMicros)
    this.#journey.heldMicros = NO_MONEY
  }

  #post(kind: Posting['kind'], amountMicros: Micros): void {
    if (amountMicros > 0) this.#postings.push({ kind, amountMicros, messageId: this.#message.id })
  }

  #orderRevoke(step: number): void {
    const { carrierId, parts } = this.#step(step)
    if (carrierId === null) return
    const refs = parts.flatMap((part) => (part.state === 'taken' && part.ref !== null ? [part.ref] : []))
    this.#revoke = { step, carrierId, refs }
  }

  #reportStatus(): void {
    this.report((seen, number) => writeStatusReport(seen, this.#now, number))
  }

  #reportBetween(): void {
    if (this.#message.reportSteps) this.#reportStatus()
  }

  #seen(): Message {
    return { ...this.#message, journey: { ...this.#journey, steps: [...this.#steps] } }
  }

  #isCurrent(step: number): boolean {
    return this.#journey.phase !== 'ended' && this.#journey.step === step
  }

  /** Whether the message goes its way without this step: another delivered it, or this one has failed. */
  #isAbandoned(step: number): boolean {
    const { phase, deliveredBy } = this.#journey
    return phase === 'ended' ? deliveredBy !== step : this.#journey.step !== step
  }

  #isDelivered(step: number): boolean {
    return this.#step(step).parts.every((part) => part.state === 'delivered')
  }

  #planned(step: number): Step {
    return present(this.#message.plan[step])
  }

  #step(step: number): StepState {
    return present(this.#steps[step])
  }

  #part(step: number, part: number): PartState {
    return present(this.#step(step).parts[part])
  }

  #changeStep(step: number, change: Partial<StepState>): void {
    this.#steps[step] = { ...this.#step(step), ...change }
  }

  #changePart(step: number, part: number, change: Partial<PartState>): void {
    const parts = this.#step(step).parts.map((each, index) => (index === part ? { ...each, ...change } : each))
    this.#changeStep(step, { parts })
  }
}

const FAILURE_OF: Readonly<Record<Exclude<ReceiptOutcome, 'accepted' | 'delivered' | 'read'>, Failure>> = {
  expired: 'EXPIRED',
  undeliverable: 'UNDELIVERABLE',
  rejected: 'REJECTED',
  unknown: 'UNKNOWN',
}

type NotTaken = Exclude<Verdict, { kind: 'taken' }>

const GRAVITY: readonly NotTaken['kind'][] = ['unclear', 'slow', 'refused']

/** The verdict that decides for the whole step; null when every part was taken. */
function gravestOf(verdicts: readonly Verdict[]): NotTaken | null {
  const missing = verdicts.filter((verdict) => verdict.kind !== 'taken')
  return missing.sort((a, b) => GRAVITY.indexOf(b.kind) - GRAVITY.indexOf(a.kind))[0] ?? null
}

function mayHaveArrived(verdict: Verdict): boolean {
  return verdict.kind === 'taken' || verdict.kind === 'unclear'
}

function describe(verdicts: readonly Verdict[]): string {
  return verdicts.map((verdict) => (verdict.kind === 'taken' ? `as ${verdict.ref}` : verdict.reason)).join('; ')
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('no such step or part')
  return value
}
