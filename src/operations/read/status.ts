/** `status`: the state of a message, as its last report has it. */
import { MESSAGE_NAMING_FIELDS, readFields } from '../../contract/fields/fields.ts'
import type { RequestObject } from '../../contract/request/envelope.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { MessageInquiry, Scope } from '../request/planned.ts'

/** Throws ItemRefused for an operation that names no message. */
export function planStatus(scope: Scope, item: RequestObject): MessageInquiry {
  const { msgId = null, id = null } = readFields(item, MESSAGE_NAMING_FIELDS, scope.tools.limits)
  return { about: { messageId: msgId as MessageId | null, clientId: id, test: scope.key.test }, id }
}
