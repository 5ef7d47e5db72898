/** Keys of a proof, any of which may match, so that a carrier can replace them. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import Type from 'typebox'
import { WrongSetting } from '../../shared/read-settings.ts'
import { choice, SECRET, text } from '../../shared/setting-kinds.ts'

const MAX_KEYS = 5
const ED25519_BYTES = 32
const MIN_RSA_BITS = 2_048

export const PROOF_KEYS = {
  keys: Type.Array(text('A key.', SECRET), {
    minItems: 1,
    maxItems: MAX_KEYS,
    of: 'keys',
    description: 'Keys, any of which may match: the old one and the new one while the carrier replaces it.',
    ...SECRET,
  }),
  keyEncoding: choice(['text', 'base64', 'hex'], 'How the keys are written; a public key as text is PEM.', 'text'),
  keyPrefix: Type.Optional(text('A text before a key that is no part of it, such as `whsec_`.')),
}

interface GivenKeys {
  readonly keys: readonly string[]
  readonly keyEncoding: 'text' | 'base64' | 'hex'
  readonly keyPrefix?: string
}

/** A public key or a certificate, which everyone may know. */
const PUBLIC_PEM = /-----BEGIN [A-Z ]*(PUBLIC KEY|CERTIFICATE)-----/

/** Returns secrets as bytes. Throws WrongSetting. */
export function readSecrets(given: GivenKeys): readonly Buffer[] {
  const open = given.keys.findIndex((key) => PUBLIC_PEM.test(key))
  if (open !== -1) throw new WrongSetting(`keys.${open}`, 'should be a secret, and is a public key')
  return readBytes(given)
}

function readBytes({ keys, keyEncoding, keyPrefix = '' }: GivenKeys): readonly Buffer[] {
  return keys.map((key, index) => {
    const bare = key.startsWith(keyPrefix) ? key.slice(keyPrefix.length) : key
    const bytes = keyEncoding === 'text' ? Buffer.from(bare) : decode(bare, keyEncoding)
    if (bytes.length > 0) return bytes
    throw new WrongSetting(`keys.${index}`, `should be a key in ${keyEncoding}`)
  })
}

/** Returns public keys of the type, `ed25519` or `rsa`. Throws WrongSetting. */
export function readPublicKeys(given: GivenKeys, type: 'ed25519' | 'rsa'): readonly KeyObject[] {
  return readBytes(given).map((bytes, index) => {
    const key = publicKey(bytes, given.keyEncoding)
    const isLong = type !== 'rsa' || (key?.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS
    if (key?.asymmetricKeyType === type && isLong) return key
    const more = type === 'rsa' ? ` with at least ${MIN_RSA_BITS} bits` : `, or ${ED25519_BYTES} bytes in base64 or hex`
    throw new WrongSetting(`keys.${index}`, `should be a public key of type ${type} in PEM${more}`)
  })
}

function publicKey(bytes: Buffer, encoding: GivenKeys['keyEncoding']): KeyObject | null {
  try {
    if (encoding === 'text') return createPublicKey(bytes)
    if (bytes.length !== ED25519_BYTES) return null
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' })
  } catch {
    return null
  }
}

/** Returns no bytes for a text in another encoding. */
function decode(text: string, encoding: 'base64' | 'hex'): Buffer {
  const isGood = encoding === 'hex' ? /^(?:[\da-f]{2})+$/i.test(text) : /^[\w+/-]+={0,2}$/.test(text)
  return isGood ? Buffer.from(text, encoding) : Buffer.alloc(0)
}
