/**
 * Digest authentication (RFC 7616, RFC 2617 for peers without `qop`, RFC 8760 for SIP): MD5, SHA-256 and SHA-512-256. A
 * challenge with any other algorithm is read as null. Passwords are only hashed.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { splitOutside } from './message.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

/** Names on the wire → names of the hash functions. */
const HASHES = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512-256': 'sha512-256' } as const

export type DigestAlgorithm = keyof typeof HASHES

/** The input of a proof besides the credentials. */
export interface DigestTerms {
  readonly algorithm: DigestAlgorithm
  readonly realm: string
  readonly nonce: string
  readonly method: string
  readonly uri: string
  /** Null for a peer with the older form of RFC 2617. */
  readonly qop: { readonly cnonce: string; readonly count: string } | null
}

/** The `response` of RFC 7616 section 3.4.1, in hex. */
export function digestOf({ username, password }: Credentials, terms: DigestTerms): string {
  const hash = (text: string) => createHash(HASHES[terms.algorithm]).update(text).digest('hex')
  const secret = hash(`${username}:${terms.realm}:${password}`)
  const asked = hash(`${terms.method}:${terms.uri}`)
  const { qop } = terms
  const middle = qop === null ? terms.nonce : `${terms.nonce}:${qop.count}:${qop.cnonce}:auth`
  return hash(`${secret}:${middle}:${asked}`)
}

/** The challenge in WWW-Authenticate or Proxy-Authenticate. */
export interface Challenge {
  readonly algorithm: DigestAlgorithm
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | null
  /** Whether it offers `qop=auth`. */
  readonly qop: boolean
  /** The nonce of the last proof was too old; its password was right (RFC 7616 section 3.3). */
  readonly stale: boolean
}

/** Returns null for a challenge that cannot be answered. */
export function readChallenge(text: string): Challenge | null {
  const fields = readFields(text)
  const realm = fields?.get('realm')
  const nonce = fields?.get('nonce')
  const algorithm = (fields?.get('algorithm') ?? 'MD5').toUpperCase()
  if (realm === undefined || nonce === undefined || !isAlgorithm(algorithm)) return null
  const offered = fields?.get('qop')?.toLowerCase().split(/[ ,]+/)
  if (offered !== undefined && !offered.includes('auth')) return null
  const stale = fields?.get('stale')?.toLowerCase() === 'true'
  return { algorithm, realm, nonce, opaque: fields?.get('opaque') ?? null, qop: offered !== undefined, stale }
}

/**
 * Returns the Authorization value that answers a challenge. `cnonce` must be fresh; `count` is the number of uses of
 * the nonce, including this one.
 */
export function writeProof(
  { algorithm, realm, nonce, opaque, qop }: Challenge,
  credentials: Credentials,
  request: { readonly method: string; readonly uri: string },
  { cnonce, count }: { readonly cnonce: string; readonly count: number },
): string {
  const used = qop ? { cnonce, count: count.toString(16).padStart(8, '0') } : null
  const response = digestOf(credentials, { algorithm, realm, nonce, ...request, qop: used })
  const fields = [
    `username=${quote(credentials.username)}`,
    `realm=${quote(realm)}`,
    `nonce=${quote(nonce)}`,
    `uri=${quote(request.uri)}`,
    `response="${response}"`,
    `algorithm=${algorithm}`,
  ]
  if (opaque !== null) fields.push(`opaque=${quote(opaque)}`)
  if (used !== null) fields.push('qop=auth', `nc=${used.count}`, `cnonce=${quote(cnonce)}`)
  return `Digest ${fields.join(', ')}`
}

/** Returns whether an Authorization value proves the credentials for this nonce and method. */
export function provesCredentials(
  authorization: string,
  credentials: Credentials,
  asked: {
    readonly realm: string
    readonly nonce: string
    readonly method: string
    readonly algorithm: DigestAlgorithm
  },
): boolean {
  const fields = readFields(authorization)
  const field = (name: string) => fields?.get(name) ?? ''
  if (field('username') !== credentials.username || field('nonce') !== asked.nonce) return false
  if ((fields?.get('algorithm') ?? 'MD5').toUpperCase() !== asked.algorithm) return false
  const qop = field('qop') === 'auth' ? { cnonce: field('cnonce'), count: field('nc') } : null
  const expected = Buffer.from(digestOf(credentials, { ...asked, uri: field('uri'), qop }))
  const given = Buffer.from(field('response').toLowerCase())
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function isAlgorithm(name: string): name is DigestAlgorithm {
  return Object.hasOwn(HASHES, name)
}

/** Returns the fields of a `Digest` value, names in lower case, values unquoted; null for another scheme. */
function readFields(text: string): ReadonlyMap<string, string> | null {
  if (text.length > 4_096 || !/^digest[ \t]/i.test(text)) return null
  const fields = new Map<string, string>()
  for (const piece of splitOutside(text.slice(7), ',')) {
    const equals = piece.indexOf('=')
    if (equals < 0) continue
    fields.set(piece.slice(0, equals).trim().toLowerCase(), unquote(piece.slice(equals + 1).trim()))
  }
  return fields
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

function unquote(text: string): string {
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"')
    ? text.slice(1, -1).replace(/\\(.)/g, '$1')
    : text
}
