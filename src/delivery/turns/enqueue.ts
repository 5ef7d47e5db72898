/**
 * Moves messages that this node holds into the queues of the store: messages without room in memory, and messages whose
 * carriers cannot take anything or are with other nodes. The message leaves memory at once; the store is retried until
 * it has released it. If this node dies first, another node takes the message over. A message that has changed is
 * released without being queued.
 */
import { type Message, tenantOf } from '../../domain/message/message.ts'
import type { DeliveryStore } from '../../ports/stores/delivery-store.ts'
import { BatchWriter, type BatchWriterTools } from '../queues/batch-writer.ts'
import { channelOf, type MessageCache } from './message-cache.ts'

const MAX_BATCH = 1_000

export interface EnqueueTools extends BatchWriterTools {
  readonly store: Pick<DeliveryStore, 'enqueue' | 'release'>
  /** Called when messages were put into queues. */
  readonly onEnqueued: () => void
  /** Returns the routingTag of the current directory. */
  readonly routing: () => string
}

interface Enqueued {
  readonly message: Message
  readonly queue: StoreQueue
  readonly routing: string
}

/** What a message waits for in the store: one of these carriers, other rules (Directory.rulesOf), or room in memory. */
export type StoreQueue = { readonly carriers: readonly string[] } | { readonly rules: string } | 'room'

export class Enqueuer {
  readonly #tools: EnqueueTools
  readonly #cache: MessageCache
  readonly #writer: BatchWriter<Enqueued>

  constructor(tools: EnqueueTools, cache: MessageCache) {
    this.#tools = tools
    this.#cache = cache
    this.#writer = new BatchWriter(tools, 'messages to queue', MAX_BATCH, async (batch) => {
      const orders = batch.map(({ message, queue, routing }) => {
        const { id, journey } = message
        const [channel, tenant] = [channelOf(message), tenantOf(message)]
        const place = { channel, tenant, routing, carriers: [], ...(queue === 'room' ? {} : queue) }
        return { messageId: id, version: journey.version, ...place, dueAt: journey.deadlineAt }
      })
      const passedOver = await tools.store.enqueue(orders)
      // A newer turn may have brought it back to this node.
      const forgotten = passedOver.filter((id) => !cache.holds(id))
      if (forgotten.length > 0) await tools.store.release(forgotten)
      tools.onEnqueued()
    })
  }

  get idle(): boolean {
    return this.#writer.idle
  }

  /** Messages that have left memory and are not released yet. */
  get size(): number {
    return this.#writer.size
  }

  /** Queues the message; it is due at the end of its step's lifetime. */
  wait(message: Message, queue: StoreQueue): void {
    this.#cache.drop(message.id)
    // The tag of now: routes may change before this is written.
    this.#writer.add({ message, queue, routing: this.#tools.routing() })
  }

  /** Resolves once everything is released. */
  close(): Promise<void> {
    return this.#writer.close()
  }
}
