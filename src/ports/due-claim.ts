/**
 * Messages that change hands between a node and the store: what is claimed, what waits in which queue.
 *
 * A message that no node holds waits for its time, or stands in a queue: that of its channel, from which any node with
 * room takes it, or that of its carriers while none of them can take anything. From a queue it is taken at any time; when
 * its due time comes (the end of its step's lifetime) it is claimed from wherever it is.
 */
import type { Channel } from '../domain/channel.ts'
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { EarlyReceipt } from './receipt-address.ts'

export interface DueClaim {
  readonly now: number
  /** At most so many that are due, and so many from queues. */
  readonly limit: number
  /** Channels with room in memory; absent for none, and then nothing is taken from queues. */
  readonly queues?: readonly QueueRoom[]
  /** Carriers that can take messages here. */
  readonly carriers?: readonly string[]
  /** Names the present routes and carriers (Directory.routingTag). */
  readonly routing?: string
}

export interface QueueRoom {
  readonly channel: Channel
  /** Messages for which memory has room. */
  readonly free: number
  /** Tenants that hold much of the memory already, and how many messages (domain/memory-share.ts). */
  readonly held: readonly (readonly [tenant: number, held: number])[]
}

export interface QueueOrder {
  readonly messageId: MessageId
  /** Of the journey that was decided on. */
  readonly version: number
  readonly channel: Channel
  /** The carriers that would do, best first; empty for the queue of the channel. */
  readonly carriers: readonly string[]
  /** The routes and carriers by which that was decided. */
  readonly routing: string
  readonly tenant: number
  /** When any node must look at it, milliseconds. */
  readonly dueAt: number
}

export interface DueClaimed {
  /** Those that were due. */
  readonly messages: readonly Message[]
  /** Those that were taken from queues. */
  readonly queued: readonly Message[]
  /** Those of the queued ones that stood in the queue of carriers. */
  readonly forCarriers: readonly MessageId[]
  /** Receipts that a vanished node was handed and may not have recorded. */
  readonly earlyReceipts: readonly EarlyReceipt[]
  /** When the next of those that still wait is due; null when none waits. */
  readonly nextDueAt: number | null
  /** Whether another claim with as much room would take more from queues. */
  readonly more: boolean
  /** Whether there are queues of carriers that cannot take anything here. */
  readonly isBlocked: boolean
  /** Tenants that still have messages in queues from which messages may be taken. */
  readonly left: readonly TenantLeft[]
  /** Whether `left` has all of them: the number that is looked at by one claim is bounded. */
  readonly isComplete: boolean
}

export interface TenantLeft {
  readonly channel: Channel
  readonly tenant: number
}
