/** The types of sends: each channel alone and every chain of channels in any order, without repeats. */
import { MESSAGE_CHANNELS, type MessageChannel } from '../../domain/channels/channel.ts'

/** The channels of the steps joined in their order; the shortest first. */
export const SEND_TYPES: readonly string[] = chainsOf(MESSAGE_CHANNELS)
  .toSorted((a, b) => a.length - b.length)
  .map((channels) => channels.join('+'))

/** The chain of the spec (2.3): all fields but the lifetimes of its later steps. */
export const SPEC_CHAIN = 'rcs+chatapp+sms'

/** Every order of every choice of the channels. */
function chainsOf(channels: readonly MessageChannel[]): MessageChannel[][] {
  return channels.flatMap((first) => {
    const others = channels.filter((channel) => channel !== first)
    return [[first], ...chainsOf(others).map((rest) => [first, ...rest])]
  })
}

export function channelsOf(sendType: string): readonly MessageChannel[] {
  return sendType.split('+') as MessageChannel[]
}
