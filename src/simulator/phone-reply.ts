/** A message that a simulated phone writes to the gateway, through the protocol of its channel. */
import { countParts } from '../domain/text-parts.ts'
import type { PhoneText } from './phone-text.ts'
import type { RbmDouble } from './rbm.ts'
import { displayedNumber, REPLY_CHANNELS, type ReplyChannel, WHATSAPP_NUMBER_ID } from './reply-channels.ts'
import type { Smsc } from './smsc.ts'
import type { ViberDouble } from './viber.ts'
import type { WhatsAppDouble } from './whatsapp.ts'

export interface PhoneReply extends PhoneText {
  readonly channel: ReplyChannel
  /** By WhatsApp: the `msg_id` of a message that the phone got there, and now quotes. */
  readonly quotes?: string
}

interface Doubles {
  readonly rbm: Pick<RbmDouble, 'write'>
  readonly viber: Pick<ViberDouble, 'write'>
  readonly smsc: Pick<Smsc, 'write'>
  /** Null in a simulator without WhatsApp. */
  readonly whatsapp: Pick<WhatsAppDouble, 'write' | 'refOf'> | null
}

export function isPhoneReply(value: unknown): value is PhoneReply {
  const { channel, from, to, text, quotes = '1' } = Object(value) as Partial<Record<keyof PhoneReply, unknown>>
  const texts = [from, to, text, quotes].every((each) => typeof each === 'string' && each !== '')
  return texts && REPLY_CHANNELS.includes(channel as ReplyChannel)
}

/** Returns why the gateway did not take the message; null if it did. */
export async function writeReply(doubles: Doubles, reply: PhoneReply): Promise<string | null> {
  const { rbm, viber, smsc, whatsapp } = doubles
  if (reply.quotes !== undefined && reply.channel !== 'whatsapp') return 'quote: only WhatsApp names a quoted message'
  switch (reply.channel) {
    case 'whatsapp':
      return whatsapp === null ? 'no WhatsApp is simulated' : writeByWhatsApp(whatsapp, reply)
    case 'rcs':
      return rbm.write(reply).then(() => null)
    case 'chatapp':
      return viber.write(reply).then(() => null)
    case 'sms': {
      if (countParts(reply.text) > 1) return 'text: a simulated phone writes SMS of one part: 160 GSM characters, or 70'
      const outcome = await smsc.write(reply)
      return outcome.kind === 'answered' && outcome.answer.status === 0 ? null : 'the gateway did not take the SMS'
    }
  }
}

async function writeByWhatsApp(
  whatsapp: NonNullable<Doubles['whatsapp']>,
  { from, to, text, quotes }: PhoneReply,
): Promise<string | null> {
  const number = displayedNumber(WHATSAPP_NUMBER_ID)
  if (to !== number) return `to: the simulated WhatsApp number is ${number}`
  const quotedRef = quotes === undefined ? undefined : whatsapp.refOf(from, quotes)
  if (quotes !== undefined && quotedRef === undefined) return `quote: ${from} got no message ${quotes} by WhatsApp`
  await whatsapp.write(from, WHATSAPP_NUMBER_ID, text, quotedRef)
  return null
}
