/** A message as the gateway knows it: what the client asked, the plan made of it, and how far it has come. */
import type { AccountId } from './account.ts'
import type { ReceiptOutcome } from './journey-event.ts'
import type { MessageId } from './message-id.ts'
import { type Micros, NO_MONEY } from './money.ts'
import type { Phone } from './phone.ts'
import { holdOf, type Plan } from './plan.ts'
import type { Status } from './status.ts'

export interface Message {
  readonly id: MessageId
  readonly accountId: AccountId
  /** Sent with a test key: for simulated carriers alone, at no cost, and counted nowhere. */
  readonly test: boolean
  /** The client's `id` as the JSON token that was sent (`12`, `"a-1"`), echoed letter for letter; null without one. */
  readonly clientId: string | null
  /** Empty once the person was forgotten, which comes after the end. */
  readonly phone: Phone
  /** MCC and MNC of the phone's operator (`26201`) as looked up when it was accepted; null when nobody knew it. */
  readonly operator: string | null
  readonly plan: Plan
  /** Where reports go; null for none. */
  readonly hook: string | null
  /** Whether the steps between are reported too (account setting when it was accepted). */
  readonly reportSteps: boolean
  /** ISO 4217, the account's. */
  readonly currency: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly journey: Journey
}

/** Whether the person has asked to be forgotten: nothing but the walk and the money of the message is left. */
export function isForgotten({ phone }: Pick<Message, 'phone'>): boolean {
  return phone.length === 0
}

/** How far a message has come. Only `advance` in journey.ts makes a new one. */
export interface Journey {
  /** Turns recorded so far; the store refuses a turn that was made from an older one. */
  readonly version: number
  readonly status: Status
  /** Index in the plan of the step under way, or of the last one once ended. */
  readonly step: number
  readonly phase: Phase
  /** Attempts of this step that were answered so far. */
  readonly attempts: number
  /** Milliseconds: when this step's lifetime is over. */
  readonly deadlineAt: number
  /** Milliseconds: when the message wants to be looked at next; null once ended. */
  readonly dueAt: number | null
  readonly steps: readonly StepState[]
  readonly heldMicros: Micros
  readonly chargedMicros: Micros
  /** Reports made so far; the next one is numbered so. */
  readonly reports: number
  /** The step that delivered it; null until one did. */
  readonly deliveredBy: number | null
  /** Milliseconds: the time that the client asked for; absent when it was to be sent at once. */
  readonly sendAt?: number
}

/**
 * `open`: no carrier has all of the step yet; an attempt is due at `dueAt` or under way. `carried`: a carrier has it and
 * its receipt is awaited until `dueAt`, the deadline. `ended`: nothing is to come.
 */
export type Phase = 'open' | 'carried' | 'ended'

export interface StepState {
  readonly status: Status
  /** Milliseconds: when this status was reached. */
  readonly at: number
  /** The carrier that was asked last, those that could not be reached left out; null before the first. */
  readonly carrierId: string | null
  /** Carriers that could not be reached since the step was last made to wait: not tried again before it has waited. */
  readonly tried?: readonly string[]
  /** Nobody knows whether a carrier has any of it, for one was asked and gave no clear answer. */
  readonly uncertain?: true
  /** Why it is not delivered, in the carrier's or our words; null when there is nothing to say. */
  readonly detail: string | null
  readonly parts: readonly PartState[]
}

export interface PartState {
  readonly state: 'open' | 'taken' | 'delivered' | 'failed'
  /** The carrier's own id of this part; null while it has not taken it. */
  readonly ref: string | null
  /** The carrier that took it, when it is not the one that the step names. */
  readonly carrierId?: string
  /** What the carrier says that it bills the part as (domain/cost.ts); absent while it has not said. */
  readonly category?: string
  /** How many receipts were noted of it that changed nothing, by what they said; absent while there was none. */
  readonly noted?: Readonly<Partial<Record<ReceiptOutcome, number>>>
}

const OPEN_PART: PartState = { state: 'open', ref: null }

/** The journey at its beginning: the dearest price held, the first step to be attempted now or when `sendAt` comes. */
export function beginJourney(plan: Plan, now: number, sendAt: number | null = null): Journey {
  const first = plan[0]
  if (first === undefined) throw new RangeError('a plan has at least one step')
  const beginsAt = Math.max(now, sendAt ?? now)
  const deadlineAt = beginsAt + first.lifetimeSeconds * 1000
  return {
    version: 0,
    status: 'QUEUED',
    step: 0,
    phase: 'open',
    attempts: 0,
    deadlineAt,
    dueAt: beginsAt,
    steps: [beginStep(first.parts, beginsAt)],
    heldMicros: holdOf(plan),
    chargedMicros: NO_MONEY,
    reports: 0,
    deliveredBy: null,
    ...(sendAt === null ? {} : { sendAt }),
  }
}

export function beginStep(parts: number, now: number): StepState {
  return { status: 'QUEUED', at: now, carrierId: null, detail: null, parts: Array(parts).fill(OPEN_PART) }
}
