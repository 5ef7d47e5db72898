/** Describes what a recipient replied to a message, for `status`. */
import { type AccountInbound, mediaOf } from '../../domain/inbound/inbound-message.ts'

/** `replies` are the newest first, and the result the oldest. */
export function describeReplies(replies: readonly AccountInbound[]): readonly object[] {
  return replies.toReversed().map((reply) => ({
    inbound_id: reply.id,
    datetime: new Date(reply.at).toISOString(),
    message: reply.text,
    ...mediaOf(reply),
  }))
}
