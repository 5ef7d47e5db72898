/**
 * Where a message waits, as a row of `due`. A row with a tenant is in a queue and may be taken at any time; its
 * `due_at` says when any node must look at it. A row without one (0) waits until `due_at`. `channel` names the queue:
 * `sms` is that of the channel, `sms@tag a b` that of the carriers a and b, by the routes that the tag names, and
 * `~sms tag` the blocked one of accounts with these rules.
 */
import type { Channel } from '../../../domain/channels/channel.ts'
import { type Message, tenantOf } from '../../../domain/message/message.ts'
import type { BlockedQueue, DueClaim, QueueOrder } from '../../../ports/records/due-claim.ts'

/** No channel name contains this character. */
const BEFORE_CARRIERS = '@'
/** Begins the names of blocked queues, and sorts behind all others: claims stop before it. */
export const BLOCKED = '~'

export function queueName({
  channel,
  carriers,
  routing,
  rules,
}: Pick<QueueOrder, 'channel' | 'carriers' | 'routing' | 'rules'>) {
  if (rules !== undefined) return blockedName({ channel, rules })
  if (carriers.length === 0) return channel
  return `${channel}${BEFORE_CARRIERS}${[routing, ...carriers.toSorted().map(encodeURIComponent)].join(' ')}`
}

export function blockedName({ channel, rules }: Pick<BlockedQueue, 'channel' | 'rules'>): string {
  return `${BLOCKED}${channel} ${rules}`
}

/** Returns the queue of a name that `blockedName` made. */
export function readBlocked(name: string, tenant: number): BlockedQueue {
  const [channel, rules = ''] = name.slice(BLOCKED.length).split(' ', 2)
  return { channel: channel as Channel, rules, tenant }
}

/** Returns where a message waits for its due time: a postponed one in a blocked queue. */
export function waitingPlace(message: Message): { readonly channel: string; readonly tenant: number } {
  const { step, postponed } = message.journey
  const channel = message.plan[step]?.channel
  if (channel === undefined) return { channel: '', tenant: 0 }
  if (postponed === undefined) return { channel, tenant: 0 }
  return { channel: blockedName({ channel, rules: postponed.rules }), tenant: tenantOf(message) }
}

/** Neither is read for a held message. */
export const HELD_ROW = { tenant: 0, dueAt: 0 } as const

/** Returns how an accepted message waits that no node holds: for its time, or in the queue of its channel. */
export function waitingRow(message: Message, now: number): { readonly tenant: number; readonly dueAt: number } {
  const { deadlineAt } = message.journey
  const dueAt = message.journey.dueAt ?? message.createdAt
  return dueAt > now ? { tenant: 0, dueAt } : { tenant: tenantOf(message), dueAt: deadlineAt }
}

export function channelOfQueue(name: string): Channel {
  return name.split(BEFORE_CARRIERS, 1)[0] as Channel
}

export function isOfCarriers(name: string): boolean {
  return name.includes(BEFORE_CARRIERS)
}

/** Returns whether the claim takes messages from the queue. Every node may take from a queue of outdated routes. */
export function mayTakeFrom(name: string, { queues = [], carriers = [], routing }: DueClaim): boolean {
  const [channel, ofCarriers] = name.split(BEFORE_CARRIERS, 2)
  if (!queues.some((queue) => queue.channel === channel)) return false
  if (ofCarriers === undefined) return true
  const [tag, ...ids] = ofCarriers.split(' ')
  return tag !== routing || ids.some((id) => carriers.includes(decodeURIComponent(id)))
}
