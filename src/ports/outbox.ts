/** What operations know of delivery: where accepted messages go, and how long a caller must wait for a call to ring. */
import type { Channel } from '../domain/channel.ts'
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'

export interface Outbox {
  /** Whether memory has room for one more of the tenant's; without it, messages are accepted to wait in the store. */
  hasRoom(channel: Channel, tenant: number): boolean
  /** Whether a carrier can take something now, or makes its first connection. */
  isOpen(carrierId: string): boolean
  /**
   * Takes messages that are on disk and held by this node. `dueAt`: when the first of others is due that were accepted
   * to wait in the store, milliseconds; null when there are none.
   */
  take(messages: readonly Message[], dueAt: number | null): void
  /**
   * Ends messages that no carrier has, nor may have; each as it is then, on disk. Those that are not `CANCELLED` now
   * were cancelled too late.
   */
  cancel(messages: readonly Message[]): Promise<readonly Message[]>
  /** The message once its first step was taken or has failed; null when `withinMs` passed before that. */
  untilAnswered(id: MessageId, withinMs: number): Promise<Message | null>
}
