/**
 * How messages pass between a node and the store: claims and queues.
 *
 * A message that no node holds waits for its due time or in a queue: the queue of its channel, from which any node with
 * capacity takes it, or the queue of its carriers while none of them can take anything. It can be taken from a queue at
 * any time; at its due time (the end of its step's lifetime) it is claimed wherever it is. A message that its account's
 * rules keep from being sent (suspension, quiet hours) is in a blocked queue, which no claim takes from: `unblock`
 * moves it to the queue of its channel once the rules have changed.
 */
import type { Channel } from '../../domain/channels/channel.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { EarlyReceipt } from '../carriers/receipt-address.ts'

export interface DueClaim {
  readonly now: number
  /** Maximum of due messages, and of messages from queues. */
  readonly limit: number
  /** Channels with capacity in memory; absent for none: nothing is taken from queues then. */
  readonly queues?: readonly QueueCapacity[]
  /** Of the messages from queues, the percentage that each lower traffic class keeps; none if absent. */
  readonly lowerShare?: number
  /** Carriers that can take messages on this node. */
  readonly carriers?: readonly string[]
  /** Identifies the current routes and carriers (Directory.routingTag). */
  readonly routing?: string
}

export interface QueueCapacity {
  readonly channel: Channel
  /** Free capacity in memory, messages. */
  readonly free: number
  /** Tenants that already hold much of the memory, with their messages (domain/structures/fair-queue.ts). */
  readonly held: readonly (readonly [tenant: number, held: number])[]
}

export interface QueueOrder {
  readonly messageId: MessageId
  /** Version of the journey that the decision was based on. */
  readonly version: number
  readonly channel: Channel
  /** Suitable carriers, best first; empty for the queue of the channel. */
  readonly carriers: readonly string[]
  /** The routes and carriers that the decision was based on. */
  readonly routing: string
  /** For a blocked queue: the rules of the account that the decision was based on. */
  readonly rules?: string
  readonly tenant: number
  /** When any node must process it, milliseconds. */
  readonly dueAt: number
}

/** Messages of a tenant that these rules of its account keep from being sent. */
export interface BlockedQueue {
  readonly channel: Channel
  readonly rules: string
  readonly tenant: number
}

export interface DueClaimed {
  /** The due ones. */
  readonly messages: readonly Message[]
  /** Those taken from queues. */
  readonly queued: readonly Message[]
  /** Those of the queued ones that were in a carrier queue. */
  readonly forCarriers: readonly MessageId[]
  /** Receipts that were returned to a dead node, which may not have recorded them. */
  readonly earlyReceipts: readonly EarlyReceipt[]
  /** When the next of the waiting messages is due; null if none waits. */
  readonly nextDueAt: number | null
  /** Whether another claim with the same capacity would take more from queues. */
  readonly more: boolean
  /** Whether there are queues of carriers that cannot take anything on this node. */
  readonly isBlocked: boolean
  /** Tenants that still have messages in queues that this node can serve. */
  readonly left: readonly TenantLeft[]
  /** Whether `left` is complete: one claim looks at a bounded number. */
  readonly isComplete: boolean
}

export interface TenantLeft {
  readonly channel: Channel
  readonly tenant: number
}
