/** The channels: the ways to reach a recipient that a client can request. The only list of them. */
import { CALL } from './call.ts'
import { CHATAPP } from './chatapp.ts'
import type { ChannelDescriptor } from './descriptor.ts'
import { RCS } from './rcs.ts'
import { SMS } from './sms.ts'
import { TELEGRAM } from './telegram.ts'

const DESCRIPTORS = [RCS, CHATAPP, SMS, CALL, TELEGRAM] as const

type Descriptor = (typeof DESCRIPTORS)[number]

export type Channel = Descriptor['name']

/** The channels that carry texts of clients. */
export type MessageChannel = Extract<Descriptor, { readonly carries: 'text' }>['name']

/** The channels that carry a one-time code in a message: every one but a call. */
export type CodeChannel = Exclude<Channel, 'call'>

/** What carriers, routes, prices and costs are for: the channels, and lookups of numbers. */
export type RoutedChannel = Channel | 'lookup'

export const CHANNELS: readonly Channel[] = DESCRIPTORS.map(({ name }) => name)

export const MESSAGE_CHANNELS: readonly MessageChannel[] = DESCRIPTORS.flatMap((each) =>
  each.carries === 'text' ? [each.name] : [],
)

export const ROUTED_CHANNELS: readonly RoutedChannel[] = [...CHANNELS, 'lookup']

export type SenderIdName = Descriptor['senderIds'][number]['id']

export const SENDER_IDS: readonly SenderIdName[] = DESCRIPTORS.flatMap(({ senderIds }) => senderIds.map(({ id }) => id))

const OF_CHANNEL: ReadonlyMap<Channel, ChannelDescriptor> = new Map(DESCRIPTORS.map((each) => [each.name, each]))

export function descriptorOf(channel: Channel): ChannelDescriptor {
  // The list has every channel.
  return OF_CHANNEL.get(channel) ?? SMS
}

/** Returns whether clients send texts by it, and recipients may write. */
export function carriesTexts(channel: RoutedChannel): channel is MessageChannel {
  return channel !== 'lookup' && descriptorOf(channel).carries === 'text'
}
