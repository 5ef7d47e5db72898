/**
 * What is kept of the phone of somebody who was forgotten, where something has to hold on without the number: a keyed
 * hash under a secret of the database. It tells that two phones are one; without the secret it tells nothing.
 */
import { createHmac } from 'node:crypto'

/** Begins with #, as no phone does. */
export type HashPhone = (phone: string) => string

/** Of the hash, hexadecimal: 128 bits. */
const HASH_CHARACTERS = 32

/** `secret`: 32 bytes, hexadecimal. */
export function phoneHasher(secret: string): HashPhone {
  const key = Buffer.from(secret, 'hex')
  return (phone) => `#${createHmac('sha256', key).update(phone).digest('hex').slice(0, HASH_CHARACTERS)}`
}

/** Every hash is from the first to before the second: for an index. */
export const HASHED_RANGE = ['#', '$'] as const
