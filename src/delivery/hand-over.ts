/**
 * Hands messages over to the nodes that have their carrier: they wait in the store, where only those nodes look. From the
 * moment a message is here this node has it in hand no more, so it is forgotten first and let go of then; should the
 * store fail, it is told until it works, and should this node vanish, the message is another's as all that it held.
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

  constructor(tools: BatchWriterTools & { readonly store: Pick<Store, 'handOver'> }, desk: Desk) {
    this.#desk = desk
    this.#writer = new BatchWriter(tools, 'messages for other nodes', BATCH_MOST, (batch) =>
      tools.store.handOver(
        batch.map(({ message: { id, journey }, carrierId }) => ({
          messageId: id,
          version: journey.version,
          carrierId,
        })),
        tools.clock.now(),
      ),
    )
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
