/** The channels: the ways to reach a person that a client can ask for. */
export const CHANNELS = ['rcs', 'chatapp', 'sms', 'call'] as const

export type Channel = (typeof CHANNELS)[number]

/** The channels that carry messages; a call carries only the digits of its number. */
export type MessageChannel = Exclude<Channel, 'call'>

export function isChannel(text: string): text is Channel {
  return (CHANNELS as readonly string[]).includes(text)
}
