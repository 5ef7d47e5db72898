/** `verify/check`: checks the code that the recipient of a verification has typed. */
import { readFields } from '../../contract/fields/fields.ts'
import { VERIFY_CHECK_FIELDS } from '../../contract/operations/verify-fields.ts'
import { type RequestObject, writeItemError, writeResult } from '../../contract/request/envelope.ts'
import { ITEM_ERRORS } from '../../contract/request/error-texts.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { Message } from '../../domain/message/message.ts'
import { checkResult, isPending, MAX_WRONG_CODES } from '../../domain/message/verification.ts'
import type { MessageInquiry, Scope } from '../request/planned.ts'

/** Throws ItemRefused for an operation that names no verification, or whose code cannot be one. */
export function planVerifyCheck({ key, checkIds, tools }: Scope, item: RequestObject): MessageInquiry {
  const { id = null, verifyId, code } = readFields(item, VERIFY_CHECK_FIELDS, tools.limits)
  const about = { messageId: verifyId as MessageId, clientId: null, test: key.test }
  return { about, id, check: { code, checkId: checkIds.next() } }
}

/** `message` is its state after the check, undefined without a verification; `id` is the operation's. */
export function describeCheck(
  message: Message | undefined,
  { checkId }: NonNullable<MessageInquiry['check']>,
  id: string | null,
): string {
  const verification = message?.journey.verification
  if (message === undefined || verification === undefined) return writeItemError(id, ITEM_ERRORS.noSuchVerification)
  const left = isPending(verification) ? MAX_WRONG_CODES - verification.wrongCodes : 0
  return writeResult({ verify_id: message.id, status: checkResult(verification, checkId), attempts_left: left }, id)
}
