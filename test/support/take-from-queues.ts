/** What a node with room asks for when it takes messages from queues, and what it gets. */
import { CHANNELS, type Channel } from '../../src/domain/channels/channel.ts'
import type { Message } from '../../src/domain/message/message.ts'
import type { DueClaim, DueClaimed, QueueCapacity } from '../../src/ports/records/due-claim.ts'
import type { Store } from '../../src/ports/stores/store.ts'

export function roomFor(channels: readonly Channel[] = CHANNELS, free = 1_000_000): readonly QueueCapacity[] {
  return channels.map((channel) => ({ channel, free, held: [] }))
}

/** A claim of a node that has room for everything. */
export function claimAll(
  store: Pick<Store, 'claimDue'>,
  claim: Pick<DueClaim, 'now'> & Partial<DueClaim>,
): Promise<DueClaimed> {
  return store.claimDue({ limit: 1_000, queues: roomFor(), ...claim })
}

/** Those that were due, and then those that stood in queues. */
export function allOf({ messages, queued }: Pick<DueClaimed, 'messages' | 'queued'>): readonly Message[] {
  return [...messages, ...queued]
}
