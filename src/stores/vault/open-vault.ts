/**
 * The vault of a store: AES-256-GCM under the keys of the installation. Each opened vault seals under a key derived for
 * it alone and counts its nonces, so that none is ever used twice: random nonces under a single key would reach their
 * safe limit within weeks.
 */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { UNNAMED_KEY } from '../../ports/records/sealing.ts'
import { ChangeRefused, StoreError } from '../../ports/records/store-errors.ts'
import type { Vault } from '../../ports/system/vault.ts'
import { AddressSeals } from './address-seals.ts'
import { type Key, type KeySource, keyPlace, readKeys } from './key-ring.ts'

const ALGORITHM = 'aes-256-gcm'
const TAG_BYTES = 16
const NONCE_BYTES = 12
const TAG = { authTagLength: TAG_BYTES }

/** The head of a seal: version, key id, salt of the derived key, nonce without its leading zeros. */
const VERSION = 2
/** The same, with its place as additional authenticated data. */
const BOUND_VERSION = 3
const KEY_ID_BYTES = 4
const SALT_BYTES = 16
const COUNTER_BYTES = 6
const SALT_AT = 1 + KEY_ID_BYTES
const COUNTER_AT = SALT_AT + SALT_BYTES
const HEAD_BYTES = COUNTER_AT + COUNTER_BYTES

const TEXT_MARK = 'v2.'
const BOUND_MARK = 'v3.'
/** A seal with this mark names no key: nonce, tag and cipher text under the installation's first key itself. */
const FIRST_MARK = 'v1.'

const MAX_SEALS_PER_SESSION = 2 ** 40
/** Cached derived keys for opening; there is one for each opening of the store that sealed something. */
const MAX_DERIVED = 256

interface Session {
  readonly keyId: string
  /** The head of a seal, with the counter of the last seal. */
  readonly head: Buffer
  /** Of the last seal: a new buffer for each would cost a fifth of a short seal. */
  readonly nonce: Buffer
  readonly key: KeyObject
  seals: number
}

/**
 * Seals with the newest key of the ring until `use` is called. Throws an Error with a readable message if the ring
 * cannot be read.
 */
export function openVault(source: KeySource): Vault {
  return new RingVault(source)
}

class RingVault implements Vault {
  readonly addresses = new AddressSeals(this)
  readonly #source: KeySource
  #keys: ReadonlyMap<string, Key>
  #session: Session
  readonly #derived = new Map<string, KeyObject>()

  constructor(source: KeySource) {
    const keys = readKeys(source)
    this.#source = source
    this.#keys = byId(keys)
    this.#session = beginSession(keys[0] as Key)
  }

  get keyId(): string {
    return this.#session.keyId
  }

  use(keyId: string): void {
    if (keyId !== this.keyId) this.#session = beginSession(this.#key(keyId))
  }

  keyOf(cell: string | Uint8Array): string | null {
    if (typeof cell !== 'string') {
      const isSeal = cell.byteLength >= HEAD_BYTES + TAG_BYTES && cell[0] === VERSION
      return isSeal ? nameIn(cell) : null
    }
    if (cell.startsWith(FIRST_MARK))
      return decode(cell, FIRST_MARK, NONCE_BYTES + TAG_BYTES) === null ? null : UNNAMED_KEY
    const bytes = decodeNamed(cell)
    return bytes === null ? null : nameIn(bytes)
  }

  isBound(cell: string | Uint8Array): boolean {
    return typeof cell === 'string' && cell.startsWith(BOUND_MARK) && this.keyOf(cell) !== null
  }

  seal(text: string): string {
    return TEXT_MARK + this.#seal(text, VERSION, '').toString('base64url')
  }

  open(sealed: string): string {
    if (sealed.startsWith(FIRST_MARK)) return this.#openFirst(sealed)
    const bytes = sealed.startsWith(BOUND_MARK) ? null : decodeNamed(sealed)
    if (bytes === null) throw new Error('this is not a sealed secret')
    return this.openBytes(bytes)
  }

  openText(cell: string): string {
    const bytes = cell.startsWith(TEXT_MARK) ? decodeNamed(cell) : null
    return bytes === null ? cell : this.openBytes(bytes)
  }

  sealAt(text: string, place: string): string {
    return BOUND_MARK + this.#seal(text, BOUND_VERSION, place).toString('base64url')
  }

  openAt(sealed: string, place: string): string {
    if (!sealed.startsWith(BOUND_MARK)) return this.open(sealed)
    const bytes = decodeNamed(sealed)
    if (bytes === null) throw new Error('this is not a sealed secret')
    return this.#open(bytes, place)
  }

  sealBytes(text: string): Uint8Array {
    return this.#seal(text, VERSION, '')
  }

  openBytes(sealed: Uint8Array): string {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
    if (bytes.length < HEAD_BYTES + TAG_BYTES || bytes[0] !== VERSION) throw new Error('this is not a sealed secret')
    return this.#open(bytes, '')
  }

  #seal(text: string, version: number, place: string): Buffer {
    if (this.#session.seals === MAX_SEALS_PER_SESSION) this.#session = beginSession(this.#key(this.keyId))
    const { head, nonce, key, seals } = this.#session
    this.#session.seals += 1
    head.writeUIntBE(seals, COUNTER_AT, COUNTER_BYTES)
    writeNonce(head, nonce)
    const cipher = createCipheriv(ALGORITHM, key, nonce, TAG)
    if (place !== '') cipher.setAAD(Buffer.from(place))
    const cipherText = cipher.update(text, 'utf8')
    cipher.final()
    const sealed = Buffer.allocUnsafe(HEAD_BYTES + cipherText.length + TAG_BYTES)
    sealed.set(head)
    sealed[0] = version
    sealed.set(cipherText, HEAD_BYTES)
    sealed.set(cipher.getAuthTag(), HEAD_BYTES + cipherText.length)
    return sealed
  }

  #open(bytes: Buffer, place: string): string {
    const tagAt = bytes.length - TAG_BYTES
    const [key, sealed] = [this.#derivedKey(bytes), bytes.subarray(HEAD_BYTES, tagAt)]
    const text = decipher({ key, nonce: nonceOf(bytes), tag: bytes.subarray(tagAt), place }, sealed)
    if (text === null) throw new Error('a sealed secret was changed, or was sealed for another row')
    return text
  }

  /** Tries every key, because these seals name none. */
  #openFirst(sealed: string): string {
    const bytes = decode(sealed, FIRST_MARK, NONCE_BYTES + TAG_BYTES)
    if (bytes === null) throw new Error('this is not a sealed secret')
    const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)]
    for (const key of this.#keys.values()) {
      const under = { key: createSecretKey(key.bytes), nonce, tag, place: '' }
      const text = decipher(under, bytes.subarray(NONCE_BYTES + TAG_BYTES))
      if (text !== null) return text
    }
    throw new Error('a sealed secret was changed, or was sealed with another key')
  }

  #derivedKey(bytes: Buffer): KeyObject {
    const name = bytes.toString('latin1', 1, COUNTER_AT)
    const known = this.#derived.get(name)
    if (known !== undefined) return known
    const key = deriveKey(this.#key(bytes.toString('hex', 1, SALT_AT)), bytes.subarray(SALT_AT, COUNTER_AT))
    const [oldest] = this.#derived.keys()
    if (this.#derived.size === MAX_DERIVED && oldest !== undefined) this.#derived.delete(oldest)
    this.#derived.set(name, key)
    return key
  }

  /** Reads the ring again if the key is missing, as it may have been added since. */
  #key(id: string): Key {
    if (!this.#keys.has(id)) this.#keys = byId(readKeys(this.#source))
    const key = this.#keys.get(id)
    if (key === undefined) {
      throw new Error(`the stored data was sealed with key ${id}, which is not in ${keyPlace(this.#source)}`)
    }
    return key
  }
}

function byId(keys: readonly Key[]): ReadonlyMap<string, Key> {
  return new Map(keys.map((key) => [key.id, key]))
}

function beginSession(key: Key): Session {
  const salt = randomBytes(SALT_BYTES)
  const head = Buffer.concat([Uint8Array.of(VERSION), Buffer.from(key.id, 'hex'), salt], HEAD_BYTES)
  return { keyId: key.id, head, nonce: Buffer.alloc(NONCE_BYTES), key: deriveKey(key, salt), seals: 0 }
}

function deriveKey(key: Key, salt: Uint8Array): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', key.bytes, salt, 'posthorn vault', key.bytes.length)))
}

function nonceOf(head: Buffer): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  writeNonce(head, nonce)
  return nonce
}

/** The counter of the seal, after zeros that are there already. */
function writeNonce(head: Buffer, nonce: Buffer): void {
  head.copy(nonce, NONCE_BYTES - COUNTER_BYTES, COUNTER_AT, HEAD_BYTES)
}

interface SealedUnder {
  readonly key: KeyObject
  readonly nonce: Uint8Array
  readonly tag: Uint8Array
  /** Empty for none. */
  readonly place: string
}

/** Returns null if it was changed, or sealed with another key or for another place. */
function decipher({ key, nonce, tag, place }: SealedUnder, cipherText: Uint8Array): string | null {
  const opening = createDecipheriv(ALGORITHM, key, nonce, TAG)
  if (place !== '') opening.setAAD(Buffer.from(place))
  opening.setAuthTag(tag)
  try {
    return opening.update(cipherText, undefined, 'utf8') + opening.final('utf8')
  } catch {
    return null
  }
}

/** Returns the bytes of a text that names its key; null if it is no seal. */
function decodeNamed(text: string): Buffer | null {
  const [mark, version] = text.startsWith(BOUND_MARK) ? [BOUND_MARK, BOUND_VERSION] : [TEXT_MARK, VERSION]
  const bytes = text.startsWith(mark) ? decode(text, mark, HEAD_BYTES + TAG_BYTES) : null
  return bytes?.[0] === version ? bytes : null
}

/** The name of the key of a seal. */
function nameIn(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(1, SALT_AT)).toString('hex')
}

/** Returns null if the text is no seal: the decoder skips invalid characters, so the result is encoded again. */
function decode(text: string, mark: string, minBytes: number): Buffer | null {
  const bytes = Buffer.from(text.slice(mark.length), 'base64url')
  return mark + bytes.toString('base64url') === text && bytes.length >= minBytes ? bytes : null
}

/** Throws a StoreError if the ring has no such key: the database names it. */
export function useKey(vault: Vault, name: string): void {
  try {
    vault.use(name)
  } catch (error) {
    throw new StoreError((error as Error).message, { cause: error })
  }
}

/** Throws a ChangeRefused if the ring has no such key: an operator names it. */
export function chooseKey(vault: Vault, name: string): void {
  try {
    vault.use(name)
  } catch (error) {
    throw new ChangeRefused((error as Error).message)
  }
}
