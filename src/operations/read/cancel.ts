/** `cancel`: cancels a message unless a carrier has it. A repeat returns the same result. */

import type { RequestObject } from '../../contract/request/envelope.ts'
import { writeItemError, writeResult } from '../../contract/request/envelope.ts'
import { ITEM_ERRORS } from '../../contract/request/error-texts.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageInquiry, Scope } from '../request/planned.ts'
import { planStatus } from './status.ts'

/** Throws ItemRefused for an operation that names no message. */
export function planCancel(scope: Scope, item: RequestObject): MessageInquiry {
  return { ...planStatus(scope, item), cancels: true }
}

/** `message` is its state after the cancellation; `id` is the operation's. */
export function describeCancelled(message: Message, id: string | null): string {
  const { status } = message.journey
  if (status !== 'CANCELLED') return writeItemError(id, ITEM_ERRORS.tooLate)
  return writeResult({ msg_id: message.id, status }, message.clientId)
}
