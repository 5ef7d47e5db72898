/** The id under which Google knows a step of a message: the same on every attempt, so that Google ignores a repeat. */
import type { Revocation } from '../../ports/carriers/carrier.ts'
import { uuidOf } from '../shared/name-uuid.ts'

/** Returns the UUID of the message, its step and its phone. */
export function messageUuid({ messageId, step, phone }: Pick<Revocation, 'messageId' | 'step' | 'phone'>): string {
  return uuidOf(`posthorn/${messageId}/${step}/${phone}`)
}

/** Returns the id of the capability request for the message's phone: different from the message's. */
export function capabilityUuid(ref: string): string {
  return uuidOf(`posthorn/capabilities/${ref}`)
}
