/** `status`: the state of a message, as its last report has it. */
import type { JsonObject } from '../contract/envelope.ts'
import { MESSAGE_NAMING_FIELDS, readFields } from '../contract/fields.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { MessageInquiry, Scope } from './planned.ts'

/** Throws ItemRefused for an operation that names no message. */
export function planStatus(scope: Scope, item: JsonObject): MessageInquiry {
  const { msgId = null, id = null } = readFields(item, MESSAGE_NAMING_FIELDS, scope.tools.limits)
  return { about: { messageId: msgId as MessageId | null, clientId: id, test: scope.key.test }, id }
}
