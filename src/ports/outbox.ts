/** The port from operations to delivery: accepts stored messages, cancels them, and awaits the result of a call. */
import type { Channel } from '../domain/channel.ts'
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'

export interface Outbox {
  /**
   * Whether memory has room for one more message of the tenant; otherwise messages are accepted to wait in the store.
   */
  hasRoom(channel: Channel, tenant: number): boolean
  /** Whether a carrier can take something now, or is making its first connection. */
  isOpen(carrierId: string): boolean
  /**
   * Takes messages that are on disk and held by this node. `dueAt`: when the first of the messages is due that were
   * accepted to wait in the store, milliseconds; null if there are none.
   */
  take(messages: readonly Message[], dueAt: number | null): void
  /**
   * Cancels messages that no carrier has or may have. Returns each as it then is on disk. Those without status
   * `CANCELLED` were cancelled too late.
   */
  cancel(messages: readonly Message[]): Promise<readonly Message[]>
  /** Resolves with the message once its first step was taken or has failed; null after `withinMs`. */
  untilAnswered(id: MessageId, withinMs: number): Promise<Message | null>
}
