/** The send of a text over the channels of a login, for requests that know nothing of channels. */
import { CHANNEL_FORMS } from '../../contract/channels/channel-forms.ts'
import { channelsOf } from '../../contract/channels/send-types.ts'
import { highestClass, isHigher, type TrafficClass } from '../../domain/message/traffic-class.ts'
import type { Operation } from './ask.ts'

interface Text {
  /** A channel, or several in the order in which they are tried: `rcs+sms`. */
  readonly type: string
  readonly phone: string
  /** Null for the default of the account. */
  readonly sender: string | null
  readonly text: string
  /** The traffic class that it asks for; null or absent for none. */
  readonly priority?: TrafficClass | null
}

/** Of the priority levels of SMPP, which older protocols share. Programs send 0 with everything, so it says nothing. */
const CLASS_OF_LEVEL: readonly (TrafficClass | null)[] = [null, 'transactional', 'otp', 'otp', 'otp']

/** Returns the traffic class of a priority level, at most that of the login; null if it says none. */
export function classOfLevel(level: number, ofLogin: TrafficClass | null): TrafficClass | null {
  const asked = CLASS_OF_LEVEL[level] ?? null
  const highest = highestClass(ofLogin)
  return asked !== null && isHigher(asked, highest) ? highest : asked
}

/** How long each channel is tried, seconds; the defaults of the account if absent. */
interface Lifetimes {
  /** Of a channel that another one follows. */
  readonly next?: number
  readonly last?: number
}

/** Returns the operation, in which each channel has the same sender and text. */
export function textSend(
  { type, phone, sender, text, priority = null }: Text,
  { next, last }: Lifetimes = {},
): Operation {
  const channels = channelsOf(type) ?? []
  const fields = channels.map((channel, index) => {
    const lifetime = index < channels.length - 1 ? next : last
    return {
      ...CHANNEL_FORMS[channel].plainText,
      ...(sender === null ? {} : { [`${channel}_signature`]: sender }),
      [`${channel}_message`]: text,
      ...(lifetime === undefined ? {} : { [`${channel}_lifetime`]: lifetime }),
    }
  })
  return Object.assign({ type, phone }, ...fields, priority === null ? {} : { priority }) as Operation
}
