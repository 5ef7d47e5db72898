/**
 * API keys and admin tokens as text: `ph_live_`, 32 random characters, an underscore and a checksum, which
 * distinguishes mistyped keys from unknown ones and keys from other text.
 */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Random } from '../../ports/system/random.ts'

/**
 * Prefixes of the secret characters: `test` for simulated phones, `sandbox` for the demo account, `admin` for the admin
 * API.
 */
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

/** Whether the text could be an issued key: its form and checksum are valid. */
export function isWellFormedKey(text: string): boolean {
  return FORM.test(text) && hasItsChecksum(text)
}

/**
 * Whether the text has the form of a key but a wrong checksum, so it was never issued. Sandbox keys may have any form.
 */
export function isMistypedKey(text: string): boolean {
  return FORM.test(text) && !hasItsChecksum(text)
}

/** The stored form: SHA-256, hexadecimal. Takes the same time for all keys of one length. */
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
