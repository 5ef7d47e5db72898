/** A message that a simulated phone writes to the gateway, through the protocol of its channel. */
import { countParts } from '../domain/text/text-parts.ts'
import { displayedNumber, REPLY_CHANNELS, type ReplyChannel, WHATSAPP_NUMBER_ID } from './phones/reply-channels.ts'
import type { PhoneArrival, PhoneTraffic, ShownSuggestion } from './phones/traffic.ts'
import type { RbmDouble } from './rbm/rbm.ts'
import type { PhoneText } from './smpp/phone-text.ts'
import type { Smsc } from './smpp/smsc.ts'
import type { ViberDouble } from './viber/viber.ts'
import type { WhatsAppDouble } from './whatsapp/whatsapp.ts'

export interface PhoneReply extends PhoneText {
  readonly channel: ReplyChannel
  /** By WhatsApp: the `msg_id` of a message that the phone got there, and now quotes. */
  readonly quotes?: string
  /** Taps the suggestion with this caption, in the newest message that has one. */
  readonly taps?: boolean
}

interface Doubles {
  readonly traffic: PhoneTraffic
  readonly rbm: Pick<RbmDouble, 'write'>
  readonly viber: Pick<ViberDouble, 'write'>
  readonly smsc: Pick<Smsc, 'write'>
  /** Null in a simulator without WhatsApp. */
  readonly whatsapp: Pick<WhatsAppDouble, 'write' | 'tap' | 'refOf'> | null
}

/** The phones keep nothing on disk. */
const SINCE_START = ' since the start of the sandbox'

export function isPhoneReply(value: unknown): value is PhoneReply {
  const {
    channel,
    from,
    to,
    text,
    quotes = '1',
    taps = false,
  } = Object(value) as Partial<Record<keyof PhoneReply, unknown>>
  const texts = [from, to, text, quotes].every((each) => typeof each === 'string' && each !== '')
  return texts && typeof taps === 'boolean' && REPLY_CHANNELS.includes(channel as ReplyChannel)
}

/** Returns why the gateway did not take the message; null if it did. */
export async function writeReply(doubles: Doubles, reply: PhoneReply): Promise<string | null> {
  const { rbm, viber, smsc, whatsapp } = doubles
  if (reply.quotes !== undefined && reply.channel !== 'whatsapp') return 'quote: only WhatsApp names a quoted message'
  if (reply.taps === true) return tap(doubles, reply)
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

async function tap({ traffic, rbm, whatsapp }: Doubles, reply: PhoneReply): Promise<string | null> {
  const { from, text, channel, quotes } = reply
  if (channel !== 'rcs' && channel !== 'whatsapp') return 'tap: only RCS and WhatsApp have something to tap'
  const quotedRef = quotes === undefined ? undefined : whatsapp?.refOf(from, quotes)
  const arrivals = traffic
    .to(from)
    .filter((each) => each.channel === (channel === 'whatsapp' ? 'chatapp' : channel))
    .filter(({ ref }) => quotes === undefined || ref === quotedRef)
  const arrival = arrivals.findLast((each) => suggestionIn(each, text) !== undefined)
  const tapped = arrival === undefined ? undefined : suggestionIn(arrival, text)
  if (arrival === undefined || tapped === undefined)
    return `tap: ${from} got no ${JSON.stringify(text)} by ${channel}${SINCE_START}`
  if (channel === 'whatsapp') await whatsapp?.tap(arrival, tapped)
  else await rbm.write({ from, to: arrival.sender, text }, tapped)
  return null
}

function suggestionIn({ suggestions = [], cards = [] }: PhoneArrival, caption: string): ShownSuggestion | undefined {
  const all = [...suggestions, ...cards.flatMap((card) => card.suggestions)]
  return all.find(({ text }) => text === caption)
}

async function writeByWhatsApp(
  whatsapp: NonNullable<Doubles['whatsapp']>,
  { from, to, text, quotes }: PhoneReply,
): Promise<string | null> {
  const number = displayedNumber(WHATSAPP_NUMBER_ID)
  if (to !== number) return `to: the simulated WhatsApp number is ${number}`
  const quotedRef = quotes === undefined ? undefined : whatsapp.refOf(from, quotes)
  if (quotes !== undefined && quotedRef === undefined)
    return `quote: ${from} got no message ${quotes} by WhatsApp${SINCE_START}`
  await whatsapp.write(from, WHATSAPP_NUMBER_ID, text, quotedRef)
  return null
}
