/**
 * Issues API keys: `ph_live_`, 32 random characters, and a checksum by which a mistyped key is told from one that was
 * never issued. The key itself is shown once and kept nowhere; the store has its SHA-256.
 */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { AccountId } from '../../domain/account.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Store } from '../../ports/store.ts'
import { checkName } from './label.ts'

/** What stands in front of the secret characters; `test` is the sandbox's, `admin` opens the admin API. */
export type KeyMode = 'live' | 'test' | 'admin'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_CHARACTERS = 32
/** 62^6 is more than 2^32. */
const CHECKSUM_CHARACTERS = 6

export interface NewKey {
  readonly accountId: AccountId
  /** For people: what the key is used by. */
  readonly name: string
  readonly mode: KeyMode
}

/** Answers with the key, to be shown now and never again. Throws a ChangeRefused. */
export async function issueKey(store: Store, clock: Clock, random: Random, wish: NewKey): Promise<string> {
  checkName('the name of a key', wish.name)
  const key = makeKey(wish.mode, random)
  const row = { hash: hashKey(key), accountId: wish.accountId, name: wish.name }
  await store.change({ kind: 'add key', key: row, createdAt: clock.now() })
  return key
}

export function makeKey(mode: KeyMode, random: Random): string {
  let key = `ph_${mode}_`
  for (let count = 0; count < SECRET_CHARACTERS; count += 1) key += ALPHABET[random.below(ALPHABET.length)]
  return `${key}_${checksumOf(key)}`
}

/** Whether the text is a key as it could have been issued: its form and its checksum are right. */
export function isWellFormedKey(text: string): boolean {
  const match = /^(ph_(?:live|test|admin)_[0-9A-Za-z]{32})_([0-9A-Za-z]{6})$/.exec(text)
  return match?.[1] !== undefined && match[2] === checksumOf(match[1])
}

/** As the store keeps it: SHA-256, hexadecimal. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
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
