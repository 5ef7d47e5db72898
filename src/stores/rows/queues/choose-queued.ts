/** Chooses which queued messages a node takes: as many of each tenant as memory has room for. */
import type { MessageId } from '../../../domain/ids/message-id.ts'
import { allowance, mayHold } from '../../../domain/structures/fair-queue.ts'
import type { DueClaim, TenantLeft } from '../../../ports/records/due-claim.ts'
import { channelOfQueue, isOfCarriers } from './place.ts'

export interface TenantQueue {
  readonly queue: string
  readonly tenant: number
  /** Its first messages; one more than the limit per tenant if there are more. */
  readonly ids: readonly MessageId[]
}

export interface Chosen {
  readonly ids: readonly MessageId[]
  readonly forCarriers: readonly MessageId[]
  readonly left: readonly TenantLeft[]
  /** Whether some tenant has more messages, and memory has room for them. */
  readonly more: boolean
}

/** Returns whether memory has no room for more messages of the tenant. */
export function isFull({ queues = [] }: DueClaim, { channel, tenant }: TenantLeft): boolean {
  const room = queues.find((each) => each.channel === channel)
  if (room === undefined) return true
  const [, held = 0] = room.held.find(([each]) => each === tenant) ?? []
  return !mayHold(held, room.free)
}

/** Chooses at most `each` messages of one tenant and `limit` in all, in tenant order. */
export function chooseQueued(found: readonly TenantQueue[], claim: DueClaim, each: number): Chosen {
  const rooms = new Map(claim.queues?.map(({ channel, free, held }) => [channel, { free, held: new Map(held) }]))
  const ids: MessageId[] = []
  const forCarriers: MessageId[] = []
  const left: TenantLeft[] = []
  let more = false
  for (const { queue, tenant, ids: waiting } of found) {
    const channel = channelOfQueue(queue)
    const room = rooms.get(channel)
    if (room === undefined) continue
    const held = room.held.get(tenant) ?? 0
    const may = Math.min(allowance(held, room.free), claim.limit - ids.length)
    const taken = waiting.slice(0, Math.min(may, each))
    ids.push(...taken)
    if (isOfCarriers(queue)) forCarriers.push(...taken)
    room.held.set(tenant, held + taken.length)
    room.free -= taken.length
    if (taken.length === waiting.length) continue
    left.push({ channel, tenant })
    if (allowance(held + taken.length, room.free) > 0) more = true
  }
  return { ids, forCarriers, left, more }
}
