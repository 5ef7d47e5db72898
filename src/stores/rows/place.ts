/** Where a message waits, as it stands in `due.channel`: before its channel, or before one carrier of it. */
import type { Channel } from '../../domain/channel.ts'
import type { DueClaim } from '../../ports/due-claim.ts'

/** The name of a channel has no such character. */
const BEFORE_CARRIER = '@'

export function placeBefore(channel: string, carrierId: string): string {
  return channel + BEFORE_CARRIER + carrierId
}

/** What a claim asks for: places where every node looks, and those of nodes that have the carrier. */
export function placesOf({ channels, carriers = [] }: Pick<DueClaim, 'channels' | 'carriers'>): readonly string[] {
  return [...channels, ...carriers.map(({ id, channel }) => placeBefore(channel, id))]
}

/** All places before carriers of a channel are from the first to before the second: for an index. */
export function rangeBeforeCarriers(channel: Channel): readonly [string, string] {
  return [channel + BEFORE_CARRIER, channel + String.fromCharCode(BEFORE_CARRIER.charCodeAt(0) + 1)]
}

export function isBeforeCarrier(place: string): boolean {
  return place.includes(BEFORE_CARRIER)
}

export function channelOfPlace(place: string): Channel {
  return place.split(BEFORE_CARRIER, 1)[0] as Channel
}
