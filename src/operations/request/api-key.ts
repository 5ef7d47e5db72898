/**
 * API keys: their text, which admin tokens have too, the check of a request's key, and when keys were last used. The
 * text is `ph_live_`, 32 random characters, an underscore and a checksum, which distinguishes mistyped keys from
 * unknown ones and keys from other text.
 */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import { Refused } from '../../contract/request/refused.ts'
import type { ApiKey } from '../../domain/accounts/api-key.ts'
import type { Access, Directory, KeyRefusal } from '../../domain/directory/directory.ts'
import type { IntakeStore } from '../../ports/stores/intake-store.ts'
import type { Random } from '../../ports/system/random.ts'
import type { ClientRequest } from './client-request.ts'

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

interface KeyTools {
  readonly directory: () => Directory
  readonly keyUses: KeyUses
  readonly onDenied?: (cause: KeyRefusal, key: ApiKey | null) => void
}

/**
 * Returns the account and rights of a key; throws Refused if the key is not valid, or not from this address. Hashing
 * takes the same time for all keys of one length, and the lookup by hash reveals nothing about keys.
 */
export function checkApiKey(
  tools: KeyTools,
  request: Pick<ClientRequest, 'address'>,
  auth: string,
  now: number,
): Access {
  const hash = hashKey(auth)
  const access = tools.directory().accessBy(hash, now)
  if (access === null || !mayComeFrom(access, request)) {
    explainDenial(tools, auth, hash, now)
    throw new Refused(REQUEST_ERRORS.accessDenied)
  }
  tools.keyUses.note(access.key.hash, now)
  return access
}

/**
 * Returns the key of a request: `auth` of its body, or that of the header `Authorization: Bearer`. Empty, which is no
 * key, if both are there and differ. Other schemes are those of proxies.
 */
export function keyOfRequest({ authorization }: Pick<ClientRequest, 'authorization'>, auth: string): string {
  if (authorization === null) return auth
  const [, bearer] = BEARER.exec(authorization) ?? []
  if (bearer === undefined) return auth
  const key = bearer.trim()
  return auth === '' || auth === key ? key : ''
}

const BEARER = /^Bearer(?=$| )(.{0,1024})/i

/** Reports the cause to operators; the caller does not learn it. */
function explainDenial(tools: KeyTools, auth: string, hash: string, now: number): void {
  const { onDenied, directory } = tools
  if (onDenied === undefined) return
  const { key, refusal } = directory().explainKey(hash, now)
  onDenied(isMistypedKey(auth) ? 'mistyped key' : (refusal ?? 'address not allowed'), key)
}

function mayComeFrom({ networks }: Access, request: Pick<ClientRequest, 'address'>): boolean {
  return networks === null || networks.has(request.address() ?? '')
}

/**
 * Records when keys were last used. Collected in memory and written once a minute, so that no request waits; a crash
 * loses unwritten times.
 */
export class KeyUses {
  readonly #store: Pick<IntakeStore, 'noteKeyUses'>
  /** By key hash, at most as many as the directory has keys. */
  readonly #uses = new Map<string, number>()

  constructor(store: Pick<IntakeStore, 'noteKeyUses'>) {
    this.#store = store
  }

  note(hash: string, at: number): void {
    this.#uses.set(hash, at)
  }

  /** Writes the times since the last call; keeps them for the next one if the store fails. */
  async write(): Promise<void> {
    if (this.#uses.size === 0) return
    const uses = Array.from(this.#uses, ([hash, at]) => ({ hash, at }))
    this.#uses.clear()
    try {
      await this.#store.noteKeyUses(uses)
    } catch (error) {
      for (const { hash, at } of uses) if (!this.#uses.has(hash)) this.#uses.set(hash, at)
      throw error
    }
  }
}
