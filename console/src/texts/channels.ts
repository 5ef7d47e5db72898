/** The channels, and their names as users read them. */
import { CHANNELS } from '../api/channels.ts'

type ChannelFacts = (typeof CHANNELS)[number]
export type Channel = ChannelFacts['name']
type Language = keyof ChannelFacts['label']
/** A channel that carries texts. */
export type MessageChannel = Extract<ChannelFacts, { readonly carries: 'text' }>['name']

export const CHANNEL_LIST: readonly Channel[] = CHANNELS.map(({ name }) => name)

export const MESSAGE_CHANNELS: readonly MessageChannel[] = CHANNELS.flatMap((each) =>
  each.carries === 'text' ? [each.name] : [],
)

/** Priced and routed: the channels, and lookups of numbers. */
export const ROUTED_CHANNELS: readonly (Channel | 'lookup')[] = [...CHANNEL_LIST, 'lookup']

export function factsOf(channel: Channel): ChannelFacts {
  // The list has every channel.
  return CHANNELS.find(({ name }) => name === channel) ?? CHANNELS[0]
}

/** Returns whether a send by the channel has the field, such as `image` for `rcs_image`. */
export function hasField(channel: string, field: string): boolean {
  return CHANNELS.some(({ name, fields }) => name === channel && fields.some((each) => each === `${channel}_${field}`))
}

export function channelNames(language: Language): Readonly<Record<Channel, string>> {
  return recordOf(({ label }) => label[language])
}

/** Returns the names within a sentence: English has small letters there, abbreviations apart. */
export function channelNamesInSentence(language: Language): Readonly<Record<Channel, string>> {
  return recordOf(({ label }) => {
    const name = label[language]
    return language === 'en' && name !== name.toUpperCase() ? name.charAt(0).toLowerCase() + name.slice(1) : name
  })
}

function recordOf(nameOf: (facts: ChannelFacts) => string): Readonly<Record<Channel, string>> {
  return Object.fromEntries(CHANNELS.map((each) => [each.name, nameOf(each)])) as Record<Channel, string>
}
