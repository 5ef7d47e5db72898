/**
 * Digest authentication (RFC 7616, RFC 2617 for peers without `qop`, RFC 8760 for SIP): MD5 and SHA-256. A challenge that
 * asks for anything else is answered with null. Passwords go into hashes and nowhere else.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { splitOutside } from './message.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

export type DigestAlgorithm = 'MD5' | 'SHA-256'

/** What goes into one proof besides the credentials. */
export interface DigestTerms {
  readonly algorithm: DigestAlgorithm
  readonly realm: string
  readonly nonce: string
  readonly method: string
  readonly uri: string
  /** Null for a peer of RFC 2617's elder form. */
  readonly qop: { readonly cnonce: string; readonly count: string } | null
}

/** The `response` of RFC 7616 section 3.4.1, in hex. */
export function digestOf({ username, password }: Credentials, terms: DigestTerms): string {
  const hash = (text: string) =>
    createHash(terms.algorithm === 'MD5' ? 'md5' : 'sha256')
      .update(text)
      .digest('hex')
  const secret = hash(`${username}:${terms.realm}:${password}`)
  const asked = hash(`${terms.method}:${terms.uri}`)
  const { qop } = terms
  const middle = qop === null ? terms.nonce : `${terms.nonce}:${qop.count}:${qop.cnonce}:auth`
  return hash(`${secret}:${middle}:${asked}`)
}

/**
 * The Authorization value for the first of the challenges that can be met, in the order of the server's liking; null when
 * none can. `cnonce` must be fresh.
 */
export function answerChallenges(
  challenges: readonly string[],
  credentials: Credentials,
  request: { readonly method: string; readonly uri: string },
  cnonce: string,
): string | null {
  for (const challenge of challenges) {
    const asked = readChallenge(challenge)
    if (asked === null) continue
    const { algorithm, realm, nonce, opaque } = asked
    const qop = asked.qop ? { cnonce, count: '00000001' } : null
    const response = digestOf(credentials, { algorithm, realm, nonce, ...request, qop })
    const fields = [
      `username=${quote(credentials.username)}`,
      `realm=${quote(realm)}`,
      `nonce=${quote(nonce)}`,
      `uri=${quote(request.uri)}`,
      `response="${response}"`,
      `algorithm=${algorithm}`,
    ]
    if (opaque !== null) fields.push(`opaque=${quote(opaque)}`)
    if (qop !== null) fields.push('qop=auth', `nc=${qop.count}`, `cnonce=${quote(cnonce)}`)
    return `Digest ${fields.join(', ')}`
  }
  return null
}

/** Whether an Authorization value proves the credentials for this nonce and method. */
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

interface Challenge {
  readonly algorithm: DigestAlgorithm
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | null
  readonly qop: boolean
}

function readChallenge(text: string): Challenge | null {
  const fields = readFields(text)
  const realm = fields?.get('realm')
  const nonce = fields?.get('nonce')
  const algorithm = (fields?.get('algorithm') ?? 'MD5').toUpperCase()
  if (realm === undefined || nonce === undefined || (algorithm !== 'MD5' && algorithm !== 'SHA-256')) return null
  const offered = fields?.get('qop')?.toLowerCase().split(/[ ,]+/)
  if (offered !== undefined && !offered.includes('auth')) return null
  return { algorithm, realm, nonce, opaque: fields?.get('opaque') ?? null, qop: offered !== undefined }
}

/** The fields of a `Digest` value, names in lower case, values unquoted; null for another scheme. */
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
