/**
 * A turn in the making. It exposes the message with all edits so far and takes edits; journey.ts alone decides them. It
 * never changes the original message and lives only inside one call of `advance`.
 */
import type { BulkMove } from './bulk.ts'
import type { CallCount } from './call-statistics.ts'
import { addressed, hooksFor, type Listeners } from './client-hook.ts'
import { countTurn } from './count-turn.ts'
import type { Charge, Posting } from './ledger.ts'
import type { Journey, Message, PartState, StepState } from './message.ts'
import { type Micros, toMicros } from './money.ts'
import type { Step } from './plan.ts'
import type { Report, ReportType } from './report.ts'
import type { PartRef, RevokeOrder, TimelineEntry, TimelineKind, Turn } from './turn.ts'
import type { ConsentState } from './unsubscribe-link.ts'
import type { Verification } from './verification.ts'

/** Steps are changed only through the draft; what the client requested never changes. */
type OpenJourney = {
  -readonly [K in Exclude<keyof Journey, Kept | 'verification' | 'consent' | 'clicked'>]: Journey[K]
} & Readonly<Pick<Journey, Kept>> & {
    verification?: Verification
    consent?: ConsentState
    clicked?: readonly string[]
  }

type Kept = 'version' | 'steps' | 'sendAt' | 'bulk' | 'trace'

export class TurnDraft {
  readonly now: number
  /** The message with every edit so far. */
  readonly message: Message
  /** Its journey, to be set field by field. */
  readonly journey: OpenJourney
  readonly #before: Message
  readonly #steps: StepState[]
  readonly #timeline: TimelineEntry[] = []
  readonly #postings: Posting[] = []
  readonly #reports: Report[] = []
  readonly #calls: CallCount[] = []
  readonly #refs: PartRef[] = []
  readonly #listeners: Listeners
  #revokes: readonly RevokeOrder[] = []

  constructor(message: Message, now: number, listeners: Listeners) {
    this.now = now
    this.#listeners = listeners
    this.#before = message
    this.#steps = [...message.journey.steps]
    this.journey = { ...message.journey, version: message.journey.version + 1, steps: this.#steps }
    this.message = { ...message, journey: this.journey }
  }

  /** Returns a step as planned; throws a RangeError if there is none. */
  planned(step: number): Step {
    return present(this.message.plan[step])
  }

  /** Returns the state of a step; throws a RangeError if it has not begun. */
  step(step: number): StepState {
    return present(this.#steps[step])
  }

  part(step: number, part: number): PartState {
    return present(this.step(step).parts[part])
  }

  addStep(state: StepState): void {
    this.#steps.push(state)
  }

  changeStep(step: number, change: Partial<StepState>): void {
    this.#steps[step] = { ...this.step(step), ...change }
  }

  changePart(step: number, part: number, change: Partial<PartState>): void {
    const parts = this.step(step).parts.map((each, index) => (index === part ? { ...each, ...change } : each))
    this.changeStep(step, { parts })
  }

  note(kind: TimelineKind, step: number, carrierId: string | null, detail: string): void {
    this.#timeline.push({ at: this.now, kind, step, carrierId, detail })
  }

  post(kind: 'release', amountMicros: Micros): void
  post(kind: 'charge', amountMicros: Micros, charge: Charge): void
  post(kind: Posting['kind'], amountMicros: Micros, charge?: Charge): void {
    if (amountMicros === 0) return
    const posting = { kind, amountMicros, messageId: this.message.id }
    this.#postings.push(charge === undefined ? posting : { ...posting, charge })
  }

  /** Adds the reports of an event of the message with all edits so far; none if no hook wants them. */
  report(type: ReportType, write: (message: Message, number: number) => Omit<Report, 'address'>): void {
    const { hook } = this.message
    const hooks = hooksFor(this.#listeners, type, hook)
    if (hook === null && hooks.length === 0) return
    this.#reports.push(...addressed(write(this.message, this.journey.reports), hook, hooks))
    this.journey.reports += 1
  }

  countCall(call: CallCount): void {
    if (!this.message.test) this.#calls.push(call)
  }

  addRef(ref: PartRef): void {
    this.#refs.push(ref)
  }

  /** Call before the step names another carrier: parts taken by the previous one record it. */
  changeCarrier(step: number, carrierId: string): void {
    const before = this.step(step)
    if (before.carrierId === carrierId) return
    const parts = before.parts.map((part) => {
      if (part.ref === null && part.carrierId === undefined) return part
      const at = part.carrierId ?? before.carrierId
      const { carrierId: _, ...rest } = part
      return part.ref === null || at === null || at === carrierId ? rest : { ...rest, carrierId: at }
    })
    this.changeStep(step, { carrierId, parts })
  }

  /** An empty list is not stored. */
  changeTried(step: number, tried: readonly string[]): void {
    const { tried: _, ...rest } = this.step(step)
    this.#steps[step] = tried.length === 0 ? rest : { ...rest, tried }
  }

  /** Orders the revocation of a step from its carriers; nothing if none can have any of it. */
  orderRevoke(step: number): void {
    const { carrierId, parts } = this.step(step)
    if (carrierId === null) return
    const orders = new Map<string, string[]>([[carrierId, []]])
    for (const part of parts) {
      if (part.state !== 'taken' || part.ref === null) continue
      const at = part.carrierId ?? carrierId
      orders.set(at, [...(orders.get(at) ?? []), part.ref])
    }
    this.#revokes = [...orders].map(([at, refs]) => ({ step, carrierId: at, refs }))
  }

  /** Returns the turn. Do not edit the draft afterwards: they share their objects. */
  done(): Turn {
    const bulkMove = this.#bulkMove()
    return {
      message: this.message,
      timeline: this.#timeline,
      postings: this.#postings,
      reports: this.#reports,
      calls: this.#calls,
      counts: countTurn(this.#before.journey, this.message, this.now),
      refs: this.#refs,
      revokes: this.#revokes,
      ...(bulkMove === null ? {} : { bulkMove }),
    }
  }

  #bulkMove(): BulkMove | null {
    const { journey } = this.#before
    if (journey.bulk === undefined) return null
    const chargedMicros = toMicros(this.journey.chargedMicros - journey.chargedMicros)
    if (journey.status === this.journey.status && chargedMicros === 0) return null
    return { bulkId: journey.bulk, from: journey.status, to: this.journey.status, chargedMicros }
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('no such step or part')
  return value
}
