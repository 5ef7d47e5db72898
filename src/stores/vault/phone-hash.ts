/**
 * A keyed hash of the phone of an erased recipient, for data that must remain without the number. Under a secret of the
 * database: it shows whether two phones are equal; without the secret it reveals nothing.
 */
import { createHmac } from 'node:crypto'
import { formsOf, type Phone, readUserId } from '../../domain/numbers/phone.ts'

/** Begins with #, as no phone does. */
export type HashPhone = (phone: string) => string

/** Length of the hash, hexadecimal: 128 bits. */
const HASH_CHARACTERS = 32

/** `secret`: 32 bytes, hexadecimal. A user id has one hash, however it is written. */
export function phoneHasher(secret: string): HashPhone {
  const key = Buffer.from(secret, 'hex')
  return (text) => {
    const phone = readUserId(text) === null ? text : formsOf(text as Phone)[0]
    return `#${createHmac('sha256', key).update(phone).digest('hex').slice(0, HASH_CHARACTERS)}`
  }
}

/** Returns every key of rows about a phone: its forms, and their hashes, under which rows stay after an erasure. */
export function keysOfPhone(phone: Phone, hashPhone: HashPhone): readonly string[] {
  const forms = formsOf(phone)
  return [...forms, ...forms.map(hashPhone)]
}

/** The range that contains every hash, for an index. */
export const HASHED_RANGE = ['#', '$'] as const
