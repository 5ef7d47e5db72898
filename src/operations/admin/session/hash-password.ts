/**
 * Passwords of admin users as salted scrypt hashes (RFC 7914): `scrypt$15$8$1$salt$hash`, where the numbers are log2 of
 * N, r and p. A check takes the same time whether or not the user exists.
 */
import { scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { Random } from '../../../ports/system/random.ts'

/** Of new hashes, and of the work for a user without a password. */
const LOG_N = 15
const R = 8
const P = 1
const SALT_BYTES = 16
const HASH_BYTES = 32
const MIN_CHARACTERS = 12
const MAX_CHARACTERS = 200

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt)

/** Throws ChangeRefused for a password that is too short or too long. */
export async function hashPassword(password: string, random: Random, logN = LOG_N): Promise<string> {
  if (password.length < MIN_CHARACTERS || password.length > MAX_CHARACTERS) {
    throw new ChangeRefused(`a password must have ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters`)
  }
  const salt = random.bytes(SALT_BYTES)
  const hash = await stretch(password, salt, logN, R, P)
  return ['scrypt', logN, R, P, toText(salt), toText(hash)].join('$')
}

/** `stored` is null for a user without a password and for unknown users. */
export async function isPassword(password: string, stored: string | null, newLogN = LOG_N): Promise<boolean> {
  const [, logN = newLogN, r = R, p = P, salt = '', hash = ''] = (stored ?? '').split('$')
  const given = await stretch(password.slice(0, MAX_CHARACTERS), fromText(salt), Number(logN), Number(r), Number(p))
  const wanted = fromText(hash)
  return stored !== null && wanted.length === given.length && timingSafeEqual(given, wanted)
}

function stretch(password: string, salt: Uint8Array, logN: number, r: number, p: number): Promise<Buffer> {
  const N = 2 ** logN
  return derive(password.normalize('NFKC'), salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r })
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

function fromText(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}
