/** The types of sends: each channel that carries texts alone, and chains of them in any order, without repeats. */
import { MESSAGE_CHANNELS, type MessageChannel } from '../../domain/channels/channel.ts'
import { nearestName } from '../../domain/text/nearest-name.ts'
import type { Kind } from '../fields/kinds.ts'
import { notASendType } from '../request/error-texts.ts'
import { ItemRefused } from '../request/refused.ts'

/** The chain of the spec (2.3): all fields but the lifetimes of its later steps. */
export const SPEC_CHAIN = 'rcs+chatapp+sms'

/** A longer text is no type, and is not split. */
const MAX_TYPE_CHARACTERS = 64

/** Returns the channels of the steps in their order; null for what is not the type of a send. */
export function channelsOf(type: unknown): readonly MessageChannel[] | null {
  if (typeof type !== 'string' || type.length > MAX_TYPE_CHARACTERS) return null
  const parts = type.split('+')
  const channels = parts.flatMap((part) => MESSAGE_CHANNELS.filter((each) => each === part))
  return channels.length === parts.length && new Set(channels).size === channels.length ? channels : null
}

/** Returns the chain that was probably meant; null if there is none. */
export function nearestChain(type: string): string | null {
  if (type.length > MAX_TYPE_CHARACTERS) return null
  const meant = type.split('+').map((part) => nearestName(part, MESSAGE_CHANNELS))
  const chain = meant.join('+')
  return meant.includes(null) || channelsOf(chain) === null ? null : chain
}

/** The type of a send, in a field of another operation. */
export const SEND_TYPE: Kind<string> = {
  read(raw, name) {
    if (typeof raw !== 'string' || channelsOf(raw) === null) throw new ItemRefused(notASendType(name))
    return raw
  },
  schema: () => ({ enum: allSendTypes() }),
}

/** Returns every type, the shortest first: for documents, because there are many when there are many channels. */
export function allSendTypes(): readonly string[] {
  const chains = chainsOf(MESSAGE_CHANNELS).toSorted((a, b) => a.length - b.length)
  return chains.map((channels) => channels.join('+'))
}

/** Every order of every choice of the channels. */
function chainsOf(channels: readonly MessageChannel[]): MessageChannel[][] {
  return channels.flatMap((first) => {
    const others = channels.filter((channel) => channel !== first)
    return [[first], ...chainsOf(others).map((rest) => [first, ...rest])]
  })
}
