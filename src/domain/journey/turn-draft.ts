/**
 * A turn in the making. It exposes the message with all edits so far and takes edits; journey.ts alone decides them. It
 * never changes the original message and lives only inside one call of `advance`.
 */
import type { BulkMove } from '../bulk/bulk.ts'
import type { ConsentState } from '../consent/unsubscribe-link.ts'
import {
  type Journey,
  type Message,
  type PartState,
  type Postponement,
  type Step,
  type StepState,
  shownSenderOf,
} from '../message/message.ts'
import type { Status } from '../message/status.ts'
import type { Verification } from '../message/verification.ts'
import type { Charge, Posting } from '../money/ledger.ts'
import { type Micros, toMicros } from '../money/money.ts'
import { addressed, hooksFor, type Listeners } from '../reports/client-hook.ts'
import type { Report, ReportType } from '../reports/report.ts'
import type { CallCount } from '../statistics/call-statistics.ts'
import { countTurn } from './count-turn.ts'
import type { PartRef, RevokeOrder, TimelineEntry, TimelineKind, Turn } from './turn.ts'

/** Steps are changed only through the draft; what the client requested never changes. */
type OpenJourney = {
  -readonly [K in Exclude<
    keyof Journey,
    Kept | 'verification' | 'consent' | 'clicked' | 'postponed' | 'urgent' | 'sentNowAt'
  >]: Journey[K]
} & Readonly<Pick<Journey, Kept>> & {
    verification?: Verification
    consent?: ConsentState
    clicked?: readonly string[]
    postponed?: Postponement
    urgent?: true
    sentNowAt?: number
  }

type Kept = 'version' | 'steps' | 'sendAt' | 'repeats' | 'bulk' | 'trace' | 'priority' | 'testedCarrier'

type Open<State> = { -readonly [K in keyof State]: State[K] }

/** Most turns leave most of their lists empty. */
const NONE: readonly never[] = []

export class TurnDraft {
  readonly now: number
  /** The message with every edit so far. */
  readonly message: Message
  /** Its journey, to be set field by field. */
  readonly journey: OpenJourney
  readonly #before: Message
  readonly #steps: StepState[]
  readonly #listeners: Listeners
  #timeline: readonly TimelineEntry[] = NONE
  #postings: readonly Posting[] = NONE
  #reports: readonly Report[] = NONE
  #calls: readonly CallCount[] = NONE
  #refs: readonly PartRef[] = NONE
  #revokes: readonly RevokeOrder[] = NONE

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

  /** Returns the step to be set field by field. */
  editStep(step: number): Open<StepState> {
    const state = this.step(step)
    if (state !== this.#before.journey.steps[step]) return state
    const copy = { ...state }
    this.#steps[step] = copy
    return copy
  }

  /** Returns the part to be set field by field, once. */
  editPart(step: number, part: number): Open<PartState> {
    const copy = { ...this.part(step, part) }
    const state = this.editStep(step)
    state.parts = state.parts.with(part, copy)
    return copy
  }

  changeStatus(step: number, status: Status, detail: string | null): void {
    const state = this.editStep(step)
    state.status = status
    state.at = this.now
    state.detail = detail
  }

  note(kind: TimelineKind, step: number, carrierId: string | null, detail: string): void {
    this.#timeline = added(this.#timeline, { at: this.now, kind, step, carrierId, detail })
  }

  post(kind: 'release', amountMicros: Micros): void
  post(kind: 'charge', amountMicros: Micros, charge: Charge): void
  post(kind: Posting['kind'], amountMicros: Micros, charge?: Charge): void {
    if (amountMicros === 0) return
    const messageId = this.message.id
    const posting = charge === undefined ? { kind, amountMicros, messageId } : { kind, amountMicros, messageId, charge }
    this.#postings = added(this.#postings, posting)
  }

  /** Adds the reports of an event of the message with all edits so far; none if no hook wants them. */
  report(type: ReportType, write: (message: Message, number: number) => Omit<Report, 'address'>): void {
    const { hook } = this.message
    const hooks = hooksFor(this.#listeners, type, hook)
    if (hook === null && hooks.length === 0) return
    const reports = addressed(write(this.message, this.journey.reports), hook, hooks)
    this.#reports = this.#reports.length === 0 ? reports : [...this.#reports, ...reports]
    this.journey.reports += 1
  }

  countCall(call: CallCount): void {
    if (!this.message.test) this.#calls = added(this.#calls, call)
  }

  addRef(ref: PartRef): void {
    this.#refs = added(this.#refs, ref)
  }

  /** Call before the step names another carrier: parts taken by the previous one record it. */
  changeCarrier(step: number, carrierId: string): void {
    const state = this.step(step)
    const { carrierId: before } = state
    if (before === carrierId) return
    const isNamed = state.parts.some((part) => part.ref !== null || part.carrierId !== undefined)
    const open = this.editStep(step)
    open.carrierId = carrierId
    if (isNamed) open.parts = state.parts.map((part) => withTaker(part, part.carrierId ?? before, carrierId))
  }

  /** Stored only if it is another one than planned: the member of a pool. */
  changeSender(step: number, from: string): void {
    if (from === shownSenderOf(this.planned(step), this.step(step))) return
    const { from: _, ...rest } = this.step(step)
    this.#steps[step] = from === this.planned(step).sender ? rest : { ...rest, from }
  }

  /** An empty list is not stored. */
  changeTried(step: number, tried: readonly string[]): void {
    if (tried.length > 0) {
      this.editStep(step).tried = tried
    } else if (this.step(step).tried !== undefined) {
      const { tried: _, ...rest } = this.step(step)
      this.#steps[step] = rest
    }
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
    const { postponed, dueAt } = this.journey
    if (postponed !== undefined && postponed.until !== dueAt) delete this.journey.postponed
    const bulkMove = this.#bulkMove()
    const turn: Turn = {
      message: this.message,
      timeline: this.#timeline,
      postings: this.#postings,
      reports: this.#reports,
      calls: this.#calls,
      counts: countTurn(this.#before.journey, this.message, this.now),
      refs: this.#refs,
      revokes: this.#revokes,
    }
    return bulkMove === null ? turn : { ...turn, bulkMove }
  }

  #bulkMove(): BulkMove | null {
    const { journey } = this.#before
    if (journey.bulk === undefined) return null
    const chargedMicros = toMicros(this.journey.chargedMicros - journey.chargedMicros)
    if (journey.status === this.journey.status && chargedMicros === 0) return null
    return { bulkId: journey.bulk, from: journey.status, to: this.journey.status, chargedMicros }
  }
}

/** Returns the part of a step whose carrier changes; `taker` is the carrier that has it, if one does. */
function withTaker({ carrierId: _, ...part }: PartState, taker: string | null, carrierId: string): PartState {
  return part.ref === null || taker === null || taker === carrierId ? part : { ...part, carrierId: taker }
}

/** A list of one, as most are, takes no more room than it needs. */
function added<Item>(list: readonly Item[], item: Item): readonly Item[] {
  return list.length === 0 ? [item] : [...list, item]
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('no such step or part')
  return value
}
