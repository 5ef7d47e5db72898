/** The keys under which a login's messages of one user_message_reference are taken once. */
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

/** What a repeat has in common with a request that has an id of its own: a part of a message, or a submit_multi. */
export interface Repeatable {
  /** user_message_reference. */
  readonly reference: string | null
  readonly text: string
  readonly from: Address
  readonly to: readonly Address[]
  /** `number/total` of a part; null for a whole message. */
  readonly part: string | null
}

/** Returns the key of its id; null if each is one of its own. The store keeps a hash of it. */
export function idKey(
  { name, onceByReference }: Pick<Login, 'name' | 'onceByReference'>,
  { reference, text, from, to, part }: Repeatable,
): string | null {
  if (!onceByReference || reference === null) return null
  return JSON.stringify([name, reference, from.digits, to.map(({ digits }) => digits), part, text])
}
