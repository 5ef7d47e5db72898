/** A message: what the client requested, the plan made from it, its journey, and whose turn it takes in queues. */
import { type Channel, descriptorOf } from '../channels/channel.ts'
import type { ConsentState } from '../consent/unsubscribe-link.ts'
import type { AccountId } from '../ids/account-id.ts'
import type { BulkId, MessageId } from '../ids/message-id.ts'
import type { Quote } from '../inbound/inbound-message.ts'
import { type Micros, NO_MONEY, toMicros } from '../money/money.ts'
import type { Phone } from '../numbers/phone.ts'
import type { ReceiptOutcome } from './journey-event.ts'
import type { Rich } from './rich.ts'
import type { Status } from './status.ts'
import { type Priority, TRAFFIC_CLASSES, type TrafficClass } from './traffic-class.ts'
import type { Verification } from './verification.ts'

export interface Message {
  readonly id: MessageId
  readonly accountId: AccountId
  /** Sent with a test key: only to simulated carriers, free, and not counted. */
  readonly test: boolean
  /** The client's `id` as the JSON token that was sent (`12`, `"a-1"`), echoed unchanged; null without one. */
  readonly clientId: string | null
  /** Empty once the recipient was erased, which happens after the end. */
  readonly phone: Phone
  /** MCC and MNC of the phone's operator (`26201`) as looked up when the message was accepted; null if unknown. */
  readonly operator: string | null
  readonly plan: Plan
  /** Address of its reports; null for none. */
  readonly hook: string | null
  /** Whether intermediate statuses are reported too (account setting at acceptance). */
  readonly reportSteps: boolean
  /** ISO 4217, the account's. */
  readonly currency: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly journey: Journey
}

/** Returns whether the recipient was erased: only the timeline and the money of the message are left. */
export function isForgotten({ phone }: Pick<Message, 'phone'>): boolean {
  return phone.length === 0
}

/** Returns whether the message has ended and will hardly get another receipt: it cannot be read after its delivery. */
export function expectsNothing({ plan, journey }: Message): boolean {
  if (journey.phase !== 'ended') return false
  const delivering = plan[journey.deliveredBy ?? -1]
  const mayBeRead = delivering !== undefined && descriptorOf(delivering.channel).reportsReads
  return !mayBeRead || journey.status === 'READ'
}

/** The state of a message. Only `advance` in journey.ts makes a new one. */
export interface Journey {
  /** Turns recorded so far; the store refuses a turn that was based on an older version. */
  readonly version: number
  readonly status: Status
  /** Index in the plan of the current step, or of the last one once ended. */
  readonly step: number
  readonly phase: Phase
  /** Answered attempts of this step so far. */
  readonly attempts: number
  /** Milliseconds: end of this step's lifetime. */
  readonly deadlineAt: number
  /** Milliseconds: when the message needs processing next; null once ended. */
  readonly dueAt: number | null
  readonly steps: readonly StepState[]
  readonly heldMicros: Micros
  readonly chargedMicros: Micros
  /** Reports made so far, and the number of the next one. */
  readonly reports: number
  /** The step that delivered it; null until one did. */
  readonly deliveredBy: number | null
  /** Milliseconds: the requested send time; absent if it was to be sent at once. */
  readonly sendAt?: number
  /** Of a message that carries a one-time code to be checked; absent of any other. */
  readonly verification?: Verification
  /** The verification whose code it brings again; absent of any other. */
  readonly repeats?: MessageId
  readonly consent?: ConsentState
  /** The bulk whose line it was; absent of any other. */
  readonly bulk?: BulkId
  /** The `traceparent` that its submissions and reports continue; absent if the request had none. */
  readonly trace?: string
  /** Codes of its short links that were reported as clicked; absent if none was. */
  readonly clicked?: readonly string[]
  /** Why the step waits until `dueAt` although a carrier could take it; absent if it does not. */
  readonly postponed?: Postponement
  /** It carries a code that its recipient waits for, or an operator had it sent at once: quiet hours do not apply. */
  readonly urgent?: true
  /** Milliseconds: when an operator had it sent before its `sendAt`. */
  readonly sentNowAt?: number
  /** Its traffic class if its operation does not say it; absent otherwise. */
  readonly priority?: Priority
  /** The carrier that it tests: it goes to no other, whatever the routes say. Absent of messages that test none. */
  readonly testedCarrier?: string
}

export interface Postponement {
  /** Milliseconds. */
  readonly until: number
  readonly reason: string
  /** The rules that it was decided by (Directory.rulesOf). */
  readonly rules: string
}

/**
 * `open`: not all of the step is with a carrier; an attempt is due at `dueAt` or in progress. `carried`: a carrier has
 * it and its receipt is awaited until `dueAt`, the deadline. `ended`: final.
 */
export type Phase = 'open' | 'carried' | 'ended'

export interface StepState {
  readonly status: Status
  /** Milliseconds: when this status was reached. */
  readonly at: number
  /** The carrier of the last attempt, except carriers that could not be reached; null before the first. */
  readonly carrierId: string | null
  /** Carriers that could not be reached since the step last waited: not tried again before the next wait. */
  readonly tried?: readonly string[]
  /** Whether a carrier may have some of it: one was tried and gave no clear answer. */
  readonly uncertain?: true
  /** Whether it was sent again because a carrier reported the part as `closed`. */
  readonly closed?: true
  /** Whether an operator had it sent again because no receipt came. */
  readonly again?: true
  /** The member of the pool that it was last sent from; absent if the sender is no pool, or nothing was sent. */
  readonly from?: string
  /** Why it is not delivered, in the carrier's words or ours; null if there is no reason to give. */
  readonly detail: string | null
  readonly parts: readonly PartState[]
}

export interface PartState {
  readonly state: 'open' | 'taken' | 'delivered' | 'failed'
  /** The carrier's id of this part; null until a carrier takes it. */
  readonly ref: string | null
  /** The carrier that took it, if it is not the one that the step names. */
  readonly carrierId?: string
  /** The carrier's billing category (domain/money/cost.ts); absent until the carrier reports it. */
  readonly category?: string
  /** Set if each part with its id gets a receipt of its own: each delivers one of them. */
  readonly perPart?: true
  /** How many receipts without effect were noted, by outcome; absent if none. */
  readonly noted?: Readonly<Partial<Record<ReceiptOutcome, number>>>
}

/** Returns the name that the recipient saw, or would have seen, at the last attempt of the step. */
export function shownSenderOf({ sender }: Pick<Step, 'sender'>, state: StepState | undefined): string {
  return state?.from ?? sender
}

/** Returns whether a carrier has or may have some of the step: the rest is then sent from the same number. */
export function isBegun({ uncertain, parts }: StepState): boolean {
  return uncertain === true || parts.some(({ state }) => state !== 'open')
}

const OPEN_PART: PartState = { state: 'open', ref: null }
const ONE_OPEN_PART: readonly PartState[] = [OPEN_PART]

/** What a journey has only if the client asks for it; otherwise absent or null. `sendAt`: milliseconds. */
export interface JourneyTerms {
  readonly sendAt?: number | null
  readonly verification?: Verification | null
  readonly repeats?: MessageId | null
  readonly bulk?: BulkId | null
  readonly trace?: string | null
  readonly testedCarrier?: string | null
  readonly urgent?: boolean
  readonly priority?: Priority | null
}

/** Returns the initial journey: the highest price held, the first step due now or at `sendAt`. */
export function beginJourney(
  plan: Plan,
  now: number,
  {
    sendAt = null,
    verification = null,
    repeats = null,
    bulk = null,
    trace = null,
    testedCarrier = null,
    urgent = false,
    priority = null,
  }: JourneyTerms = {},
): Journey {
  const first = plan[0]
  if (first === undefined) throw new RangeError('a plan has at least one step')
  const beginsAt = Math.max(now, sendAt ?? now)
  const deadlineAt = deadlineOf(first, beginsAt, verification)
  const journey: { -readonly [K in keyof Journey]: Journey[K] } = {
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
  }
  if (sendAt !== null) journey.sendAt = sendAt
  if (verification !== null) journey.verification = verification
  if (repeats !== null) journey.repeats = repeats
  if (bulk !== null) journey.bulk = bulk
  if (trace !== null) journey.trace = trace
  if (testedCarrier !== null) journey.testedCarrier = testedCarrier
  if (urgent) journey.urgent = true
  if (priority !== null) journey.priority = priority
  return journey
}

/** Returns whether the message carries a code that the gateway checks. */
export function isOfVerification({ verification, repeats }: Pick<Journey, 'verification' | 'repeats'>): boolean {
  return verification !== undefined || repeats !== undefined
}

/** Returns the end of a step that begins now, milliseconds: of its lifetime, or of its verification before that. */
export function deadlineOf({ lifetimeSeconds }: Step, now: number, verification: Verification | null = null): number {
  return Math.min(now + lifetimeSeconds * 1000, verification?.expiresAt ?? Number.POSITIVE_INFINITY)
}

export function beginStep(parts: number, now: number): StepState {
  return { status: 'QUEUED', at: now, carrierId: null, detail: null, parts: openParts(parts) }
}

/** Whether a carrier has some of the step: only it may get the rest, because phones join the parts of one carrier. */
export function isPartlyTaken({ parts }: StepState): boolean {
  return parts.length > 1 && parts.some(({ state }) => state !== 'open')
}

/** Most steps have one part, and share its list: a change makes a new one. */
function openParts(count: number): readonly PartState[] {
  return count === 1 ? ONE_OPEN_PART : Array<PartState>(count).fill(OPEN_PART)
}

/** Tenants of a queue: one account's messages of one traffic class. */

/** Encodes the account and the class in one number; 0 is no tenant. */
const STRIDE = 4

/** Returns an integer above 0, unique for the account and the class. */
export function tenantOfClass(account: AccountId, trafficClass: TrafficClass): number {
  return account * STRIDE + 1 + TRAFFIC_CLASSES.indexOf(trafficClass)
}

export function accountOfTenant(tenant: number): AccountId {
  return Math.floor(tenant / STRIDE) as AccountId
}

export function classOfTenant(tenant: number): TrafficClass {
  return TRAFFIC_CLASSES[rankOfTenant(tenant)] ?? 'transactional'
}

/** Returns the place of the tenant's class among TRAFFIC_CLASSES. */
export function rankOfTenant(tenant: number): number {
  return (tenant % STRIDE) - 1
}

/** Returns the account and the traffic class, whose turn the message takes in queues. */
export function tenantOf(message: Pick<Message, 'accountId' | 'plan' | 'journey'>): number {
  return tenantOfClass(message.accountId, classOf(message))
}

export function classOf({ plan, journey }: Pick<Message, 'plan' | 'journey'>): TrafficClass {
  return journey.priority?.trafficClass ?? classByOperation(plan[journey.step], journey)
}

/** Calls and verifications carry a code that the recipient waits for; others come in large numbers. */
export function classByOperation(
  step: Pick<Step, 'channel'> | undefined,
  { verification, repeats, sendAt, bulk }: Pick<JourneyTerms, 'verification' | 'repeats' | 'sendAt' | 'bulk'>,
): TrafficClass {
  if (step?.channel === 'call' || isSet(verification ?? repeats)) return 'otp'
  return isSet(sendAt ?? bulk) ? 'bulk' : 'transactional'
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** The plan of a message: the channels to try in order, each step with its content, price and lifetime. */

/** The content of a step in a message channel. */
export interface TextContent {
  readonly kind: 'text'
  /** May be empty for a chat-app message with only an image. */
  readonly text: string
  /** Absolute http(s) address of an image. */
  readonly image?: string
  /** A button that opens `link`. */
  readonly button?: string
  /** Absolute http(s) address. */
  readonly link?: string
  /** The message of the recipient that it quotes, in messengers with quotes. */
  readonly quotes?: Quote
  /** The one-time code in the text, if the gateway checks it. */
  readonly code?: string
  /** Shown in place of all that by phones and messengers that can. */
  readonly rich?: Rich
}

/** The content of a flash call: the calling number, whose last digits are the code. */
export interface CallContent {
  readonly kind: 'call'
  /** Digits, E.164 without the plus. */
  readonly from: string
  readonly code: string
}

export type Content = TextContent | CallContent

/** Replaces the content of an ended message whose texts are no longer kept. */
export const REDACTED: Content = { kind: 'text', text: '' }

/** One channel of the plan. */
export interface Step {
  readonly channel: Channel
  /** The client's name for the channel; absent if it is the channel's own name. */
  readonly channelName?: string
  /** The sender name shown to the recipient; empty for a call. */
  readonly sender: string
  readonly content: Content
  readonly lifetimeSeconds: number
  /** What the account pays if this step carries the message: all parts together. */
  readonly priceMicros: Micros
  /** Messages of the channel needed for the content: SMS parts, otherwise 1. */
  readonly parts: number
}

export type Plan = readonly Step[]

/** Returns the amount held when a message is accepted: the highest price of a step. */
export function holdOf(plan: Plan): Micros {
  let highest = NO_MONEY
  for (const { priceMicros } of plan) if (priceMicros > highest) highest = priceMicros
  return toMicros(highest)
}

/** Returns how many messages carry the text: the parts of the SMS step if the plan has one, otherwise 1. */
export function partsOf(plan: Plan): number {
  let most = 1
  for (const { parts } of plan) if (parts > most) most = parts
  return most
}

/** Returns the client's name for the channel of a step. */
export function channelNameOf({ channel, channelName }: Pick<Step, 'channel' | 'channelName'>): string {
  return channelName ?? channel
}

/** Returns the `type` of the operation that the plan was made from, in the client's terms. */
export function typeOf(plan: Plan): string {
  return plan.map((step) => (step.channel === 'call' ? 'call/otp' : channelNameOf(step))).join('+')
}

/** Returns the plan of a test message. */
export function atNoCost(plan: Plan): Plan {
  return plan.map((step) => ({ ...step, priceMicros: NO_MONEY }))
}
