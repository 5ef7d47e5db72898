/**
 * A turn while it is being made. It reads the message as it is by now and takes edits; what they mean is decided in
 * journey.ts alone. It never touches the message that it was given, and lives inside one call of `advance`.
 */
import type { CallCount } from './call-statistics.ts'
import type { Charge, Posting } from './ledger.ts'
import type { Journey, Message, PartState, StepState } from './message.ts'
import type { Micros } from './money.ts'
import type { Step } from './plan.ts'
import type { Report } from './report.ts'
import type { PartRef, RevokeOrder, TimelineEntry, TimelineKind, Turn } from './turn.ts'

/** Steps are changed through the draft, and what the client asked for is not for anybody to change. */
type OpenJourney = { -readonly [K in Exclude<keyof Journey, 'version' | 'steps' | 'sendAt'>]: Journey[K] } & Readonly<
  Pick<Journey, 'version' | 'steps' | 'sendAt'>
>

export class TurnDraft {
  readonly now: number
  /** The message as it is by now: follows every edit. */
  readonly message: Message
  /** Its journey, to be set field by field. */
  readonly journey: OpenJourney
  readonly #steps: StepState[]
  readonly #timeline: TimelineEntry[] = []
  readonly #postings: Posting[] = []
  readonly #reports: Report[] = []
  readonly #calls: CallCount[] = []
  readonly #refs: PartRef[] = []
  #revokes: readonly RevokeOrder[] = []

  constructor(message: Message, now: number) {
    this.now = now
    this.#steps = [...message.journey.steps]
    this.journey = { ...message.journey, version: message.journey.version + 1, steps: this.#steps }
    this.message = { ...message, journey: this.journey }
  }

  /** A step as it was planned; a RangeError when there is none. */
  planned(step: number): Step {
    return present(this.message.plan[step])
  }

  /** How far a step has come; a RangeError when it was not begun. */
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

  /** Has a report written of the message as it is by now, unless nobody listens. */
  report(write: (message: Message, number: number) => Report): void {
    if (this.message.hook === null) return
    this.#reports.push(write(this.message, this.journey.reports))
    this.journey.reports += 1
  }

  countCall(call: CallCount): void {
    if (!this.message.test) this.#calls.push(call)
  }

  addRef(ref: PartRef): void {
    this.#refs.push(ref)
  }

  /** A carrier is about to be named by the step: parts that are with the one before remember it. */
  changeCarrier(step: number, carrierId: string): void {
    const before = this.step(step)
    if (before.carrierId === carrierId) return
    const parts = before.parts.map((part) => {
      const at = part.carrierId ?? before.carrierId
      const { carrierId: _, ...rest } = part
      return part.ref === null || at === null || at === carrierId ? rest : { ...rest, carrierId: at }
    })
    this.changeStep(step, { carrierId, parts })
  }

  /** None is not written down. */
  changeTried(step: number, tried: readonly string[]): void {
    const { tried: _, ...rest } = this.step(step)
    this.#steps[step] = tried.length === 0 ? rest : { ...rest, tried }
  }

  /** Has the carriers asked to forget what they have of a step; nothing when none can have anything. */
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

  /** The turn. The draft must not be edited after it, for they share what they hold. */
  done(): Turn {
    return {
      message: this.message,
      timeline: this.#timeline,
      postings: this.#postings,
      reports: this.#reports,
      calls: this.#calls,
      refs: this.#refs,
      revokes: this.#revokes,
    }
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('no such step or part')
  return value
}
