/** Finds the message that an inbound message answers. */
import { type Channel, descriptorOf } from '../channels/channel.ts'
import type { AnsweredMessage } from '../inbound/inbound-message.ts'
import { inboundFormsOf } from '../inbound/inbound-number.ts'
import { isBegun, type Message, shownSenderOf } from './message.ts'

/** A message is answered within this time after it was accepted, milliseconds. */
export const ANSWERED_WITHIN_MS = 72 * 3_600_000

/** How many of the newest messages to a phone are considered. */
export const MAX_ANSWERABLE = 50

export interface Answering {
  readonly carrierId: string
  readonly channel: Channel
  /** What the recipient wrote to, as returned by `inboundAddressOf`. */
  readonly address: string
}

/**
 * Returns the first of these messages to the recipient that a carrier took on the channel: by SMS from the sender that
 * the recipient wrote to, otherwise by the carrier that brings the answer. Test messages reach no recipient.
 */
export function answeredBy(newestFirst: readonly Message[], answering: Answering): AnsweredMessage | null {
  return nameOf(newestFirst.find((message) => !message.test && isAnswered(message, answering)))
}

/** Returns the message that the recipient quoted; null if there is none. */
export function quotedOf([quoted]: readonly Message[]): AnsweredMessage | null {
  return nameOf(quoted)
}

function nameOf(message: Message | undefined): AnsweredMessage | null {
  return message === undefined ? null : { messageId: message.id, clientId: message.clientId }
}

function isAnswered({ plan, journey }: Message, { carrierId, channel, address }: Answering): boolean {
  return plan.some((step, index) => {
    const state = journey.steps[index]
    if (step.channel !== channel || state === undefined || !isBegun(state)) return false
    return descriptorOf(channel).sender === 'number or name'
      ? inboundFormsOf(shownSenderOf(step, state)).includes(address)
      : state.carrierId === carrierId
  })
}
