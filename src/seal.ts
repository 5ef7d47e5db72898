/**
 * The vault of a running gateway: secrets are sealed with AES-256-GCM under one key of the installation, which lives in
 * a file of its own and is never part of the database. The nonces are always the machine's own chance, never the
 * port's: a seeded source would give one out twice, and that would break the cipher.
 */
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Vault } from './ports/vault.ts'

const ALGORITHM = 'aes-256-gcm'
const VERSION = 'v1.'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Opens a vault by its key of 32 bytes. Sealed: `v1.` and nonce, tag and cipher text in base64url. */
export function openVault(key: Uint8Array): Vault {
  if (key.length !== KEY_BYTES) throw new RangeError(`a vault key has ${KEY_BYTES} bytes, not ${key.length}`)
  const secretKey = createSecretKey(key)
  return {
    seal: (text) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, secretKey, nonce, { authTagLength: TAG_BYTES })
      const cipherText = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), cipherText]).toString('base64url')
    },
    open: (sealed) => {
      const { nonce, tag, cipherText } = readSealed(sealed)
      const decipher = createDecipheriv(ALGORITHM, secretKey, nonce, { authTagLength: TAG_BYTES })
      decipher.setAuthTag(tag)
      try {
        return decipher.update(cipherText, undefined, 'utf8') + decipher.final('utf8')
      } catch {
        throw new Error('a sealed secret was changed, or was sealed with another key')
      }
    },
  }
}

/**
 * The key in the file, 64 hexadecimal digits; a missing file is made, readable by its owner alone. Throws when the file
 * holds anything else, or when others than its owner may read or write it.
 */
export function readOrMakeKey(path: string): Uint8Array {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  if (mode === undefined) makeKey(path)
  else if ((mode & 0o077) !== 0) throw new Error(`${path} is open to others than its owner; do: chmod 600 ${path}`)
  const text = readFileSync(path, 'latin1').trim()
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new Error(`${path} is not a key of 64 hexadecimal digits`)
  return Buffer.from(text, 'hex')
}

/** Whole or not at all, whatever crashes; of two processes that make it at once, one makes it. */
function makeKey(path: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    chmodSync(draft, 0o600)
    writeSync(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`)
    fsyncSync(file)
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(file)
    unlinkSync(draft)
  }
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

function readSealed(sealed: string): { readonly nonce: Buffer; readonly tag: Buffer; readonly cipherText: Buffer } {
  const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url')
  // Decoding forgives what it does not understand; a seal does not.
  if (VERSION + bytes.toString('base64url') !== sealed || bytes.length < NONCE_BYTES + TAG_BYTES) {
    throw new Error('this is not a sealed secret')
  }
  return {
    nonce: bytes.subarray(0, NONCE_BYTES),
    tag: bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
    cipherText: bytes.subarray(NONCE_BYTES + TAG_BYTES),
  }
}
