/**
 * Secrets in a carrier's settings, as a configuration file has them: `<kept>` in their place. Rather hides too much than
 * too little: what stands in a request of a generic HTTP carrier is a secret unless it is plainly a template.
 */
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { changedDestinations, isUrl, leavesOf } from './carrier-destinations.ts'

const KEPT = '<kept>'
/** Of the tokens that services put into the addresses of their customers: characters, and capitals where no digit is. */
const MIN_TOKEN = 12
const MIN_CAPITALS = 4
/** A part of a path behind which a secret stands. */
const BEFORE_SECRET = /^(api[-_]?)?(key|token|secret|auth|password|pwd)s?$/i

const SECRET_NAME = /pass|pwd|secret|token|key|auth|credential|pin$/i
/** Addresses where tokens are had, and the names of the fields that a callback has. */
const NO_SECRET = /(?:_uri|_url|Uri|Url)$|^callbackFields\./

/** The settings with every secret hidden. */
export function hideSecrets(settings: unknown): unknown {
  return mapTexts(settings, '', (text, path) => (isSecret(text, path) ? KEPT : text))
}

/**
 * The settings with what was kept put back. Throws a ChangeRefused that names what was not kept anywhere, or what has to be
 * written out because the carrier is now somewhere else: nobody may have a kept secret sent to a host of their own.
 */
export function fillSecrets(carrierId: string, settings: unknown, stored: unknown): unknown {
  const kept: string[] = []
  const filled = mapTexts(settings, '', (text, path) => {
    if (text !== KEPT) return text
    const secret = valueAt(stored, path)
    if (typeof secret !== 'string') {
      throw new ChangeRefused(`carrier ${carrierId}: ${path} is ${KEPT}, and nothing is kept for it here: write it out`)
    }
    kept.push(path)
    return secret
  })
  const moved = kept.length === 0 ? [] : changedDestinations(leavesOf(stored), leavesOf(filled))
  if (moved.length === 0) return filled
  throw new ChangeRefused(
    `carrier ${carrierId}: ${moved.join(', ')} changed, so ${KEPT} cannot stand for ${kept.join(', ')}: write it out`,
  )
}

export function isSecret(text: string, path: string): boolean {
  if (isUrl(text)) return hasSecretInUrl(text)
  if (NO_SECRET.test(path)) return false
  if (path.split('.').some((name) => SECRET_NAME.test(name))) return true
  if (!path.startsWith('request.') || path === 'request.method') return false
  return !text.includes('{')
}

/** A user, a value in the query that is no placeholder, or a part of the path that looks like a token. */
function hasSecretInUrl(text: string): boolean {
  const [, authority = '', path = '', rest = ''] = /^[^:]+:\/\/([^/?#]*)([^?#]*)(.*)$/.exec(text) ?? []
  const parts = path.split('/')
  return (
    authority.includes('@') ||
    /[?&#][^=&]*=[^{&]/.test(rest) ||
    parts.some((part, at) => isTokenLike(part) || (BEFORE_SECRET.test(parts[at - 1] ?? '') && isValue(part)))
  )
}

/** Long and not of letters alone, as words are; or two values around a colon, as in the addresses of bots. */
function isTokenLike(part: string): boolean {
  if (!isValue(part)) return false
  const capitals = part.match(/[A-Z]/g)?.length ?? 0
  return (part.length >= MIN_TOKEN && (/\d/.test(part) || capitals >= MIN_CAPITALS)) || /\w:\w/.test(part)
}

function isValue(part: string): boolean {
  return part !== '' && !part.includes('{')
}

function mapTexts(value: unknown, path: string, map: (text: string, path: string) => string): unknown {
  if (typeof value === 'string') return map(value, path)
  if (typeof value !== 'object' || value === null) return value
  const inner = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`)
  if (Array.isArray(value)) return value.map((each: unknown, index) => mapTexts(each, inner(index), map))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, inner(name), map)]))
}

function valueAt(value: unknown, path: string): unknown {
  // Names may have dots in them: those that are there are looked for, the longest first.
  if (path === '') return value
  if (typeof value !== 'object' || value === null) return undefined
  const name = Object.keys(value)
    .filter((each) => path === each || path.startsWith(`${each}.`))
    .sort((a, b) => b.length - a.length)[0]
  if (name === undefined) return undefined
  return valueAt((value as Readonly<Record<string, unknown>>)[name], path.slice(name.length + 1))
}
