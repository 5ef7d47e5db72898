/** Chooses which queued messages a node takes: by traffic class, as many of each tenant as memory has room for. */

import type { MessageId } from '../../../domain/ids/message-id.ts'
import { rankOfTenant } from '../../../domain/message/message.ts'
import { TRAFFIC_CLASSES } from '../../../domain/message/traffic-class.ts'
import { allowance, mayHold } from '../../../domain/structures/fair-queue.ts'
import type { DueClaim, TenantLeft } from '../../../ports/records/due-claim.ts'
import { channelOfQueue, isOfCarriers } from './place.ts'

export interface TenantQueue {
  readonly queue: string
  readonly tenant: number
  /** Its first messages; one more than its portion if there are more. */
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

/** Returns how many messages of each tenant a claim takes at most, by the rank of their class. */
export function portionsOf(tenants: readonly number[], { limit, lowerShare = 0 }: DueClaim): readonly number[] {
  const counts = countByRank(tenants)
  return counts.map((count, rank) =>
    Math.max(1, Math.ceil((limit - keptBelow(rank, counts, limit, lowerShare)) / Math.max(1, count))),
  )
}

/**
 * Chooses at most `limit` messages, higher classes first, except for what lower ones keep: an equal number of each
 * tenant of a class.
 */
export function chooseQueued(found: readonly TenantQueue[], claim: DueClaim): Chosen {
  const rooms = new Map(claim.queues?.map(({ channel, free, held }) => [channel, { free, held: new Map(held) }]))
  const { limit, lowerShare = 0 } = claim
  const tenants = found.map(({ tenant }) => tenant)
  const [counts, portions] = [countByRank(tenants), portionsOf(tenants, claim)]
  const ids: MessageId[] = []
  const forCarriers: MessageId[] = []
  const left: TenantLeft[] = []
  let more = false
  for (const { queue, tenant, ids: waiting } of inOrderOfRank(found)) {
    const channel = channelOfQueue(queue)
    const room = rooms.get(channel)
    if (room === undefined) continue
    const held = room.held.get(tenant) ?? 0
    const rank = rankOfTenant(tenant)
    const open = limit - keptBelow(rank, counts, limit, lowerShare) - ids.length
    const may = Math.min(allowance(held, room.free), Math.max(0, open))
    const taken = waiting.slice(0, Math.min(may, portions[rank] ?? 0))
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

/** A queue of the store and a tenant in it. */
export type QueuePlace = readonly [queue: string, tenant: number]

/** Chooses of which tenants a claim takes messages where too many wait: those of a class one after the other. */
export class TenantRotation {
  /** Of each class, where the last claim ended. */
  readonly #last = new Map<number, QueuePlace>()

  choose(found: readonly QueuePlace[], max: number, lowerShare = 0): readonly QueuePlace[] {
    if (found.length <= max) return found
    const counts = countByRank(found.map(([, tenant]) => tenant))
    const chosen: QueuePlace[] = []
    for (const rank of counts.keys()) {
      const places = this.#rotated(
        rank,
        found.filter(([, tenant]) => rankOfTenant(tenant) === rank),
      )
      const taken = places.slice(0, Math.max(0, max - keptBelow(rank, counts, max, lowerShare) - chosen.length))
      const last = taken.at(-1)
      if (last !== undefined) this.#last.set(rank, last)
      chosen.push(...taken)
    }
    return chosen
  }

  #rotated(rank: number, places: readonly QueuePlace[]): readonly QueuePlace[] {
    const last = this.#last.get(rank)
    const ordered = places.toSorted((a, b) => (isBehind(a, b) ? 1 : -1))
    if (last === undefined) return ordered
    return [...ordered.filter((place) => isBehind(place, last)), ...ordered.filter((place) => !isBehind(place, last))]
  }
}

/** Returns whether the place comes after the other in the index. */
export function isBehind([queue, tenant]: QueuePlace, [before, beforeTenant]: QueuePlace): boolean {
  return queue > before || (queue === before && tenant > beforeTenant)
}

/** Returns how many of `max` places the classes below a rank keep. */
function keptBelow(rank: number, counts: readonly number[], max: number, lowerShare: number): number {
  const lower = counts.filter((count, place) => place > rank && count > 0)
  return lower.length * Math.floor((max * lowerShare) / 100)
}

/** Returns how many of the tenants are of each class. */
function countByRank(tenants: readonly number[]): readonly number[] {
  const counts = TRAFFIC_CLASSES.map(() => 0)
  for (const tenant of tenants) counts[rankOfTenant(tenant)] = (counts[rankOfTenant(tenant)] ?? 0) + 1
  return counts
}

function inOrderOfRank(found: readonly TenantQueue[]): readonly TenantQueue[] {
  return found.toSorted((a, b) => rankOfTenant(a.tenant) - rankOfTenant(b.tenant))
}
