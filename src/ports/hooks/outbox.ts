/**
 * The port from operations to delivery: accepts stored messages, cancels them, checks their codes, and awaits the
 * result of a call.
 */
import type { Channel } from '../../domain/channels/channel.ts'
import type { OptOut } from '../../domain/consent/opt-out.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { Canceller, Settlement } from '../../domain/message/journey-event.ts'
import type { Message } from '../../domain/message/message.ts'
import type { Micros } from '../../domain/money/money.ts'

/** A code that the recipient of a verification has typed. */
export interface CodeCheck {
  readonly messageId: MessageId
  readonly code: string
  /** Unique: distinguishes checks. */
  readonly checkId: string
}

/** Asks for the code of a verification by its next channel. */
export interface CodeResend {
  readonly messageId: MessageId
  /** Unique: distinguishes requests. */
  readonly resendId: string
}

/** A recipient of an account. */
export type Recipient = Pick<OptOut, 'accountId' | 'phone'>

/** What one call has cancelled. */
export interface Cancelled {
  readonly messages: number
  readonly releasedMicros: Micros
}

export interface HookOutbox {
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
   * Cancels messages that no carrier has or may have, for the client by default. Returns each as it then is on disk.
   * Those without status `CANCELLED` were cancelled too late.
   */
  cancel(messages: readonly Message[], by?: Canceller): Promise<readonly Message[]>
  /** The same. Counts only what this call cancelled: others may cancel the same messages. */
  discard(messages: readonly Message[], by: Canceller): Promise<Cancelled>
  /** Has a waiting message tried now, whatever it waits for. Returns it as it then is on disk. */
  sendNow(message: Message): Promise<Message>
  /** Decides about messages of which a carrier sent no receipt. Returns those that it changed, as they are on disk. */
  settle(messages: readonly Message[], by: Settlement): Promise<readonly Message[]>
  /**
   * Checks codes. Returns each message as it then is on disk, or as a check in progress leaves it; undefined if it no
   * longer exists.
   */
  check(checks: readonly CodeCheck[]): Promise<readonly (Message | undefined)[]>
  /** Has the next channel of verifications that have one follow now. Returns each message as `check` does. */
  resend(resends: readonly CodeResend[]): Promise<readonly (Message | undefined)[]>
  /** Notes recipients whose opt-outs were stored: what waits in memory for them is looked at again. */
  noteOptOuts(recipients: readonly Recipient[]): void
  /** Resolves with the message once its first step was taken or has failed; null after `withinMs`. */
  untilAnswered(id: MessageId, withinMs: number): Promise<Message | null>
}
