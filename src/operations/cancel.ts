/** `cancel`: takes a message back, as long as no carrier has it. Asked again, it answers the same. */

import type { JsonObject } from '../contract/envelope.ts'
import { writeItemError, writeResult } from '../contract/envelope.ts'
import { ITEM_ERRORS } from '../contract/error-texts.ts'
import type { Message } from '../domain/message.ts'
import type { Inquiry, Scope } from './planned.ts'
import { planStatus } from './status.ts'

/** Throws an ItemRefused for an operation that names no message. */
export function planCancel(scope: Scope, item: JsonObject): Inquiry {
  return { ...planStatus(scope, item), cancels: true }
}

/** `message` as it is after it was told; `id` is that of the operation. */
export function describeCancelled(message: Message, id: string | null): string {
  const { status } = message.journey
  if (status !== 'CANCELLED') return writeItemError(id, ITEM_ERRORS.tooLate)
  return writeResult({ msg_id: message.id, status }, message.clientId)
}
