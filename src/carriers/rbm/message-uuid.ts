/** The id under which Google knows a step of a message: the same on every attempt, so that Google ignores a repeat. */
import { createHash } from 'node:crypto'
import type { Revocation } from '../../ports/carriers/carrier.ts'

/** Returns a name-based UUID, version 8 (RFC 9562 section 5.8), of the message, its step and its phone. */
export function messageUuid({ messageId, step, phone }: Pick<Revocation, 'messageId' | 'step' | 'phone'>): string {
  return uuidOf(`posthorn/${messageId}/${step}/${phone}`)
}

/** Returns the id of the capability request for the message's phone: different from the message's. */
export function capabilityUuid(ref: string): string {
  return uuidOf(`posthorn/capabilities/${ref}`)
}

function uuidOf(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
