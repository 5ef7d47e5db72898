/**
 * API keys and admin tokens as texts: `ph_live_`, 32 random characters, an underscore, and a checksum by which a mistyped key is told
 * from one that was never issued, and a key from other words in a text.
 */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Random } from '../ports/random.ts'

/** What stands in front of the secret characters; `test` is for simulated phones, `sandbox` the demo account's, `admin` opens the admin API. */
export type KeyMode = 'live' | 'test' | 'sandbox' | 'admin'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_CHARACTERS = 32
/** 62^6 is more than 2^32. */
const CHECKSUM_CHARACTERS = 6
const FORM = /^ph_(?:live|test|sandbox|admin)_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/

export function makeKey(mode: KeyMode, random: Random): string {
  let key = `ph_${mode}_`
  for (let count = 0; count < SECRET_CHARACTERS; count += 1) key += ALPHABET[random.below(ALPHABET.length)]
  return `${key}_${checksumOf(key)}`
}

/** Whether the text is a key as it could have been issued: its form and its checksum are right. */
export function isWellFormedKey(text: string): boolean {
  return FORM.test(text) && hasItsChecksum(text)
}

/** Whether the text has the form of a key and not its checksum: nobody was ever given it. Sandboxes have keys of any form. */
export function isMistypedKey(text: string): boolean {
  return FORM.test(text) && !hasItsChecksum(text)
}

/** As the store keeps it: SHA-256, hexadecimal. Takes the same time for every key of a length. */
export function hashKey(key: string): string {
  return hash('sha256', key)
}

function hasItsChecksum(text: string): boolean {
  return text.endsWith(checksumOf(text.slice(0, -CHECKSUM_CHARACTERS - 1)))
}

/** CRC-32 of everything before the last underscore, in base 62. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let count = 0; count < CHECKSUM_CHARACTERS; count += 1) {
    digits = `${ALPHABET[rest % ALPHABET.length]}${digits}`
    rest = Math.floor(rest / ALPHABET.length)
  }
  return digits
}
