/**
 * Hands messages over to the nodes that have their carrier: they wait in the store, where only those nodes look. From the
 * moment a message is here this node has it in hand no more, so it is forgotten first and let go of then; should the
 * store fail, it is told until it works, and should this node vanish, the message is another's as all that it held. What
 * another node has changed meanwhile is let go of as it is.
 */
import type { Message } from '../domain/message.ts'
import type { Store } from '../ports/store.ts'
import { BatchWriter, type BatchWriterTools } from './batch-writer.ts'
import type { Desk } from './desk.ts'

const BATCH_MOST = 1_000

interface HandedOver {
  readonly message: Message
  readonly carrierId: string
}

export class HandOver {
  readonly #desk: Desk
  readonly #writer: BatchWriter<HandedOver>

  constructor(tools: BatchWriterTools & { readonly store: Pick<Store, 'handOver' | 'letGo'> }, desk: Desk) {
    this.#desk = desk
    this.#writer = new BatchWriter(tools, 'messages for other nodes', BATCH_MOST, async (batch) => {
      const orders = batch.map(({ message: { id, journey }, carrierId }) => {
        return { messageId: id, version: journey.version, carrierId }
      })
      const passedOver = await tools.store.handOver(orders, tools.clock.now())
      // A newer turn may have brought it back to this node.
      const forgotten = passedOver.filter((id) => !desk.holds(id))
      if (forgotten.length > 0) await tools.store.letGo(forgotten)
    })
  }

  get idle(): boolean {
    return this.#writer.idle
  }

  pass(message: Message, carrierId: string): void {
    this.#desk.drop(message.id)
    this.#writer.add({ message, carrierId })
  }

  /** Resolves once everything is let go of. */
  close(): Promise<void> {
    return this.#writer.close()
  }
}
