/** The plan of a message: the channels to try in order, each step with its content, price and lifetime. */
import type { Channel } from '../channels/channel.ts'
import type { Quote } from '../inbound/inbound-message.ts'
import { type Micros, NO_MONEY, toMicros } from '../money/money.ts'
import type { Rich } from './rich.ts'

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
