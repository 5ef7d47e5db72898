/** A message that a simulated phone writes to the gateway, through the protocol of its channel. */
import { MESSAGE_CHANNELS, type MessageChannel } from '../domain/channel.ts'
import { countParts } from '../domain/text-parts.ts'
import type { PhoneText } from './phone-text.ts'
import type { RbmDouble } from './rbm.ts'
import type { Smsc } from './smsc.ts'
import type { ViberDouble } from './viber.ts'

export interface PhoneReply extends PhoneText {
  readonly channel: MessageChannel
}

interface Doubles {
  readonly rbm: Pick<RbmDouble, 'write'>
  readonly viber: Pick<ViberDouble, 'write'>
  readonly smsc: Pick<Smsc, 'write'>
}

export function isPhoneReply(value: unknown): value is PhoneReply {
  const { channel, from, to, text } = Object(value) as Partial<Record<keyof PhoneReply, unknown>>
  const texts = [from, to, text].every((each) => typeof each === 'string' && each !== '')
  return texts && MESSAGE_CHANNELS.includes(channel as MessageChannel)
}

/** Returns why the gateway did not take the message; null if it did. */
export async function writeReply({ rbm, viber, smsc }: Doubles, reply: PhoneReply): Promise<string | null> {
  switch (reply.channel) {
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
