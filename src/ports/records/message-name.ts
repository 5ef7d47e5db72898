/** How a client identifies a message that it sent. */
import type { MessageId } from '../../domain/ids/message-id.ts'

/** At least one of the ids is given; if both are, both must match. */
export interface MessageName {
  readonly messageId: MessageId | null
  /** The JSON token that was sent; digits are found both as a number and as text, the exact form first. */
  readonly clientId: string | null
  /** Whether it was sent with a test key; the others are invisible. */
  readonly test: boolean
}
