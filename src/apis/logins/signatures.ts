/**
 * How a login server proves itself by a key that it shares with a login. Digests are compared in constant time. A
 * signature with a time is good for five minutes.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { MIN_SIGNING_BYTES, readWebhookSecret } from '../../operations/request/signing-key.ts'

/** What is signed, and by what. */
interface Signed {
  readonly body: Buffer
  /** Returns a header, empty if it is missing. Names are in lower case. */
  readonly header: (name: string) => string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Returns whether the request was signed with the key. */
export type CheckSignature = (signed: Signed, key: string) => boolean

/** Seconds that a signature may be older or newer than our clock. */
const MAX_AGE_SECONDS = 300

/**
 * Standard Webhooks: the HMAC of id, time and body. Supabase joins signatures by a comma and a space; the standard by
 * a space.
 */
export const isStandardWebhook: CheckSignature = ({ body, header, now }, key) => {
  const secret = readWebhookSecret(key)
  const at = header('webhook-timestamp')
  if (secret === null || !isRecent(at, now)) return false
  const expected = hmac(secret, [`${header('webhook-id')}.${at}.`, body])
  const signatures = header('webhook-signature').split(/,? +/)
  return signatures.some((each) => each.startsWith('v1,') && isDigest(expected, each.slice(3), 'base64'))
}

/** `ZITADEL-Signature: t=<seconds>,v1=<hex>`: the HMAC of time and body, with one `v1` for each valid key. */
export const isZitadelSignature: CheckSignature = ({ body, header, now }, key) => {
  const pairs = header('zitadel-signature')
    .split(',')
    .map((pair) => pair.trim().split('='))
  const at = pairs.find(([name]) => name === 't')?.[1] ?? ''
  if (!isRecent(at, now)) return false
  const expected = hmac(key, [`${at}.`, body])
  return pairs.some(([name, digest = '']) => name === 'v1' && isDigest(expected, digest, 'hex'))
}

/** Authgear: the HMAC of the body alone, so that a signature does not age. */
export const isAuthgearSignature: CheckSignature = ({ body, header }, key) =>
  isDigest(hmac(key, [body]), header('x-authgear-body-signature'), 'hex')

/**
 * Auth0: a token (JWT, HS256) in the Authorization header that does not cover the body. It must say when it ends, or
 * have been issued just now.
 */
export const isAuth0Token: CheckSignature = ({ header, now }, key) => {
  const [, head = '', claims = '', digest = ''] = JWT.exec(header('authorization')) ?? []
  // Its secret may be given as base64url.
  const decoded = BASE64URL.test(key) ? Buffer.from(key, 'base64url') : Buffer.alloc(0)
  const secrets = decoded.length < MIN_SIGNING_BYTES ? [key] : [key, decoded]
  const isSigned = secrets.some((secret) => isDigest(hmac(secret, [`${head}.${claims}`]), digest, 'base64url'))
  if (!isSigned || membersOf(head)['alg'] !== 'HS256') return false
  const { exp, nbf, iat } = membersOf(claims)
  const seconds = now / 1000
  if (typeof nbf === 'number' && nbf > seconds + MAX_AGE_SECONDS) return false
  return typeof exp === 'number' ? exp > seconds : typeof iat === 'number' && isRecent(String(iat), now)
}

const BASE64URL = /^[\w-]+=*$/
const JWT = /^Bearer +([\w-]+)\.([\w-]+)\.([\w-]+)$/i

function membersOf(part: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function isRecent(seconds: string, now: number): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(now / 1000 - Number(seconds)) <= MAX_AGE_SECONDS
}

/** Null for an empty key, with which anyone can sign. */
function hmac(key: string | Buffer, parts: readonly (string | Buffer)[]): Buffer | null {
  if (key.length === 0) return null
  const digest = createHmac('sha256', key)
  for (const part of parts) digest.update(part)
  return digest.digest()
}

function isDigest(expected: Buffer | null, text: string, encoding: 'hex' | 'base64' | 'base64url'): boolean {
  const given = Buffer.from(text, encoding)
  return expected !== null && given.length === expected.length && timingSafeEqual(given, expected)
}
