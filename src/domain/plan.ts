/** The plan of a message: the channels to try in order, each step with what it carries, its price and its time. */
import type { Channel } from './channel.ts'
import { type Micros, NO_MONEY, toMicros } from './money.ts'

/** What a step carries in a message channel. */
export interface TextContent {
  readonly kind: 'text'
  /** May be empty for a chat-app message of an image alone. */
  readonly text: string
  /** Absolute http(s) address of an image. */
  readonly image?: string
  /** A button that opens `link`. */
  readonly button?: string
  /** Absolute http(s) address. */
  readonly link?: string
}

/** What a flash call carries: the number that calls, whose last digits are the code. */
export interface CallContent {
  readonly kind: 'call'
  /** Digits, E.164 without the plus. */
  readonly from: string
  readonly code: string
}

export type Content = TextContent | CallContent

/** Stands for the content of an ended message whose texts are no longer kept. */
export const REDACTED: Content = { kind: 'text', text: '' }

/** One channel of the plan. */
export interface Step {
  readonly channel: Channel
  /** What the client calls the channel; absent if that is the channel's own name. */
  readonly channelName?: string
  /** The sender name shown to the person; empty for a call. */
  readonly sender: string
  readonly content: Content
  readonly lifetimeSeconds: number
  /** What the account pays when this step carries the message: all parts together. */
  readonly priceMicros: Micros
  /** Messages of the channel used to carry the content: SMS parts, otherwise 1. */
  readonly parts: number
}

export type Plan = readonly Step[]

/** What is held when a message is accepted: the dearest step. */
export function holdOf(plan: Plan): Micros {
  return toMicros(Math.max(NO_MONEY, ...plan.map((step) => step.priceMicros)))
}

/** How many messages carry the text: those of the SMS step where the plan has one, otherwise 1. */
export function partsOf(plan: Plan): number {
  return Math.max(1, ...plan.map((step) => step.parts))
}

/** The channel of a step in the client's word for it. */
export function channelNameOf({ channel, channelName }: Pick<Step, 'channel' | 'channelName'>): string {
  return channelName ?? channel
}

/** The `type` of the operation that the plan was made of, in the client's words. */
export function typeOf(plan: Plan): string {
  return plan.map((step) => (step.channel === 'call' ? 'call/otp' : channelNameOf(step))).join('+')
}

/** The plan of a test message. */
export function atNoCost(plan: Plan): Plan {
  return plan.map((step) => ({ ...step, priceMicros: NO_MONEY }))
}
