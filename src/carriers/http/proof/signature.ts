/** Calls that are signed with a key: the settings of any such scheme, and the check. */
import { createHash, createHmac, timingSafeEqual, verify } from 'node:crypto'
import Type, { type StaticDecode } from 'typebox'
import { WrongSetting } from '../../shared/read-settings.ts'
import { choice, flag, group, mapOf, parsed, standard, text } from '../../shared/setting-kinds.ts'
import { isSameSecret } from '../../shared/webhook.ts'
import type { Call } from './call.ts'
import { FRESHNESS_SETTINGS, isRecent } from './freshness.ts'
import { PROOF_KEYS, readPublicKeys, readSecrets } from './keys.ts'
import { isInHead, type ProofPlace, place, valueOfPlace, valuesAt } from './place.ts'
import {
  coversContent,
  coversPlace,
  readSignedTemplate,
  type SignedText,
  usesPart,
  writeSigned,
} from './signed-text.ts'

const MAX_TEMPLATES = 4
const ED25519_BYTES = 64

/** Hashes, and the bytes of their digests. */
const DIGESTS = { md5: 16, sha1: 20, sha256: 32, sha384: 48, sha512: 64 } as const
type Hash = keyof typeof DIGESTS
const HASHES = Object.keys(DIGESTS) as Hash[]
type Algorithm = `hmac-${Hash}` | 'md5' | 'ed25519'
const ALGORITHMS: readonly Algorithm[] = [...HASHES.map((hash) => `hmac-${hash}` as const), 'md5', 'ed25519']

const SIGNED = standard(
  Type.Array(parsed(text('Such as `{{timestamp}}.{{body}}`.'), readSignedTemplate), {
    minItems: 1,
    maxItems: MAX_TEMPLATES,
    of: 'templates',
    default: ['{{body}}'],
    description: 'What is signed, such as `{{timestamp}}.{{body}}`; of several templates, any may match.',
  }),
)

export const SIGNATURE = group(
  {
    kind: Type.Literal('signature'),
    at: place('Where the signature is.'),
    algorithm: choice(ALGORITHMS, '`md5` is the MD5 of the text followed by the key.', 'hmac-sha256'),
    encoding: choice(['hex', 'base64', 'base64url'], 'How the signature is written.', 'hex'),
    ...PROOF_KEYS,
    signed: SIGNED,
    replace: mapOf(text('What stands in its place.'), 'Characters to replace in values of `{{sortedFields}}`.', {
      pattern: /^.$/,
      rule: 'a character',
    }),
    bodySha256: Type.Optional(
      place('Where the hexadecimal SHA-256 of the body is, if what is signed has it in place of the body.'),
    ),
    unsignedContent: flag('Accept a signature that does not cover the content of the call.', false),
    ...FRESHNESS_SETTINGS,
  },
  'A signature of the call.',
)

export type GivenSignature = StaticDecode<typeof SIGNATURE>
export type Signature = ReturnType<typeof readSignature>

/** Throws WrongSetting. */
export function readSignature(given: GivenSignature) {
  const { keys, keyEncoding, keyPrefix, timestamp = null, nonce = null, bodySha256 = null, signed, ...rest } = given
  const givenKeys = { keys, keyEncoding, ...(keyPrefix === undefined ? {} : { keyPrefix }) }
  const isPublic = given.algorithm === 'ed25519'
  return {
    ...rest,
    keys: isPublic ? readPublicKeys(givenKeys, 'ed25519') : readSecrets(givenKeys),
    timestamp,
    nonce,
    bodySha256,
    signed,
  }
}

/** Throws WrongSetting if the signature leaves out something that it has to cover in calls of the format. */
export function checkCoverage(signature: Signature, format: Call['format']): void {
  const { timestamp, nonce, bodySha256, once, unsignedContent } = signature
  for (const [index, template] of signature.signed.entries()) {
    const require = (isMet: boolean, rule: string) => {
      if (!isMet) throw new WrongSetting(`signed.${index}`, rule)
    }
    const covers = (place: ProofPlace | null, part: string) =>
      place !== null && coversPlace(template, place, part, format)
    require(timestamp !== null || !usesPart(template, 'timestamp'), 'has {{timestamp}}, so `timestamp` should be set')
    require(nonce !== null || !usesPart(template, 'nonce'), 'has {{nonce}}, so `nonce` should be set')
    require(timestamp === null || covers(timestamp, 'timestamp'), 'should cover the time, as {{timestamp}} does')
    require(nonce === null || !once || covers(nonce, 'nonce'), 'should cover the id, as {{nonce}} does')
    const isCovered = coversContent(template, format) || covers(bodySha256, '')
    const parts = format === 'query' ? '{{url}} or {{sortedFields:=&}}' : '{{body}} or {{sortedFields}}'
    require(unsignedContent || isCovered, `should cover the content of the call, as ${parts} does`)
  }
}

/** Whether the head of a call has what the proof needs of it. */
export function hasSignature(head: Call, signature: Signature, now: number): boolean {
  const { at, timestamp } = signature
  if (isInHead(at) && givenSignatures(head, signature).length === 0) return false
  return timestamp === null || !isInHead(timestamp) || isInTime(head, signature, now)
}

/** Returns what is the same in each repeat of the call; null if it is not signed. */
export function checkCallSignature(call: Call, signature: Signature, now: number): string | null {
  const { timestamp, nonce, bodySha256 } = signature
  const given = givenSignatures(call, signature)
  if (given.length === 0 || !isInTime(call, signature, now)) return null
  const id = nonce === null ? '' : valueOfPlace(nonce, call)
  if (nonce !== null && id === '') return null
  if (bodySha256 !== null && !isHashOf(valueOfPlace(bodySha256, call), call.body)) return null
  const values = { ...signature, timestamp: timestamp === null ? '' : valueOfPlace(timestamp, call), nonce: id }
  for (const template of signature.signed) {
    for (const signed of writeSigned(template, call, values)) {
      if (isSignedBy(signed, given, signature)) return id === '' ? digest('sha256', signed).toString('base64') : id
    }
  }
  return null
}

/** Whether the text is the hexadecimal SHA-256. */
export function isHashOf(hex: unknown, content: Uint8Array | string): boolean {
  return isSameSecret(String(hex).toLowerCase(), createHash('sha256').update(content).digest('hex'))
}

function isInTime(call: Call, { timestamp, timestampUnit, maxAgeSeconds }: Signature, now: number): boolean {
  return timestamp === null || isRecent(valueOfPlace(timestamp, call), timestampUnit, maxAgeSeconds, now)
}

/** Returns those that may be signatures of the algorithm, decoded. */
function givenSignatures(call: Call, { at, algorithm, encoding }: Signature): readonly Buffer[] {
  const hash = HASHES.find((each) => algorithm.endsWith(each))
  const bytes = hash === undefined ? ED25519_BYTES : DIGESTS[hash]
  const characters = encoding === 'hex' ? 2 * bytes : Math.ceil((bytes * 4) / 3)
  const pattern = { hex: /^[\da-f]*$/i, base64: /^[A-Za-z\d+/]*$/, base64url: /^[\w-]*$/ }[encoding]
  return valuesAt(at, call)
    .map((value) => (encoding === 'hex' ? value : value.replace(/={1,2}$/, '')))
    .filter((value) => value.length === characters && pattern.test(value))
    .map((value) => Buffer.from(value, encoding))
}

function isSignedBy(signed: SignedText, given: readonly Buffer[], { algorithm, keys }: Signature): boolean {
  // Joined once, and only for public keys.
  let whole: Buffer | null = null
  return keys.some((key) => {
    if (Buffer.isBuffer(key)) {
      const expected = secretDigest(algorithm, key, signed)
      return given.some((each) => timingSafeEqual(each, expected))
    }
    whole ??= joined(signed)
    const text = whole
    return given.some((each) => verify(null, text, key, each))
  })
}

function secretDigest(algorithm: Algorithm, key: Buffer, signed: SignedText): Buffer {
  if (algorithm === 'md5') return digest('md5', [...signed, key])
  const hmac = createHmac(algorithm.slice('hmac-'.length), key)
  for (const part of signed) hmac.update(part)
  return hmac.digest()
}

function digest(hash: Hash, parts: SignedText): Buffer {
  const all = createHash(hash)
  for (const part of parts) all.update(part)
  return all.digest()
}

function joined(parts: SignedText): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)))
}
