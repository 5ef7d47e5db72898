/**
 * Puts messages that this node holds into the queues of the store: those for which memory has no room, those whose carriers
 * cannot take anything, and those whose carrier is with other nodes. The message is forgotten here at once and released
 * by the store afterwards; should the store fail, it is asked until it works, and should this node die, the message goes to
 * another node like everything that it held. A message that has changed since is released as it is.
 */
import type { Message } from '../domain/message.ts'
import { tenantOf } from '../domain/tenant.ts'
import type { DeliveryStore } from '../ports/delivery-store.ts'
import { BatchWriter, type BatchWriterTools } from './batch-writer.ts'
import { channelOf, type MessageCache } from './message-cache.ts'

const MAX_BATCH = 1_000

export interface EnqueueTools extends BatchWriterTools {
  readonly store: Pick<DeliveryStore, 'enqueue' | 'release'>
  /** Some are in queues now. */
  readonly onEnqueued: () => void
  /** Names the present routes and carriers (Directory.routingTag). */
  readonly routing: () => string
}

interface Enqueued {
  readonly message: Message
  /** Empty for the queue of the channel. */
  readonly carriers: readonly string[]
  readonly routing: string
}

export class Enqueuer {
  readonly #tools: EnqueueTools
  readonly #cache: MessageCache
  readonly #writer: BatchWriter<Enqueued>

  constructor(tools: EnqueueTools, cache: MessageCache) {
    this.#tools = tools
    this.#cache = cache
    this.#writer = new BatchWriter(tools, 'messages that wait in queues', MAX_BATCH, async (batch) => {
      const orders = batch.map(({ message, ...queue }) => {
        const { id, journey } = message
        const [channel, tenant] = [channelOf(message), tenantOf(message)]
        return { messageId: id, version: journey.version, channel, ...queue, tenant, dueAt: journey.deadlineAt }
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

  /** Messages that are forgotten here and not released yet. */
  get size(): number {
    return this.#writer.size
  }

  /** It waits for room, or for one of these carriers; at the end of its step's lifetime any node looks at it. */
  wait(message: Message, carriers: readonly string[]): void {
    this.#cache.drop(message.id)
    // The routes by which that was decided: they may change before it is written.
    this.#writer.add({ message, carriers, routing: this.#tools.routing() })
  }

  /** Resolves once everything is released. */
  close(): Promise<void> {
    return this.#writer.close()
  }
}
