/** How a client names a message that it sent. */
import type { MessageId } from '../domain/message-id.ts'

/** One of the two ids is given at least, and both must be right where both are. */
export interface MessageName {
  readonly messageId: MessageId | null
  /** The JSON token that was sent; of digits alone it is found as a number and as text, the exact form first. */
  readonly clientId: string | null
  /** Whether it was sent with a test key; the others are not seen. */
  readonly test: boolean
}
