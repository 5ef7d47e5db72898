/** The key under which a login's messages of one user_message_reference are taken once. */
import { hash } from 'node:crypto'
import type { Login } from '../../domain/accounts/login.ts'
import type { Address } from '../../wire/smpp/pdu.ts'
import type { ReadMessage } from './read-message.ts'

export interface Addressed {
  readonly from: Address
  readonly to: Address
}

/** Returns null if each is a message of its own. References have 16 bits, and soon come again for another message. */
export function onceKey(
  { onceByReference }: Pick<Login, 'onceByReference'>,
  { reference, text }: Pick<ReadMessage, 'reference' | 'text'>,
  { from, to }: Addressed,
): string | null {
  if (!onceByReference || reference === null) return null
  return `reference ${hash('sha256', JSON.stringify([reference, from.digits, to.digits, text]))}`
}
