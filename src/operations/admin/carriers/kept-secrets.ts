/**
 * Hides secrets in carrier settings: configuration files have `<kept>` in their place. Errs on the side of hiding: a
 * value in a request of a generic HTTP carrier counts as secret unless it is plainly a template.
 */
import { mapTexts } from '../../../domain/text/map-texts.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import { changedDestinations, isUrl, leavesOf } from './carrier-destinations.ts'

export const KEPT = '<kept>'
/**
 * Minimum characters of tokens that services put into customers' addresses, and minimum capitals if there is no digit.
 */
const MIN_TOKEN = 12
const MIN_CAPITALS = 4
/** Path segments that a secret follows. */
const BEFORE_SECRET = /^(api[-_]?)?(key|token|secret|auth|password|pwd)s?$/i

const ANY_VALUE = /[?&#][^=&]*=[^{&]/
const LONG_VALUE = /[?&#][^=&]*=[^{&]{12}/
const NAME_ALONE = /^\{\{\$\w+\}\}$/
/** Requests of a generic HTTP carrier, and what is in them. */
const IN_REQUEST = /^(?:request|balance\.request|register\.(?:known|requests\.\d+))\.(.+)/
/** Of a generic HTTP carrier: how calls prove that they come from the carrier, of which only these are secrets. */
const IN_PROOF = /^(receipt|inbound)\.auth\./
const PROOF_SECRET = /\.(token|value|user|password|secret|keys)(\.\d+)?$/
const SECRET_NAME = /pass|pwd|secret|token|key|auth|credential|pin$/i
/** Addresses of token endpoints, field names of callbacks, the form of authentication, and meanings of words. */
const NO_SECRET =
  /(?:_uri|_url|Uri|Url|auth_scheme)$|^callbackFields\.|(?:^|\.)(?:auth\.(?:kind|name|prefix|service|region)$|meanings\.)/

/** Returns the settings with all secrets hidden. */
export function hideSecrets(settings: unknown): unknown {
  const isReady = Object(settings).provider !== undefined
  return mapTexts(settings, '', (text, path) => (isSecret(text, path, isReady) ? KEPT : text))
}

export interface FilledSecrets {
  readonly filled: unknown
  /** Paths of the secrets that were kept. */
  readonly kept: readonly string[]
}

/** Returns the settings with kept secrets restored. Throws FieldRefused naming a secret that is not stored. */
export function fillSecrets(carrierId: string, settings: unknown, stored: unknown): FilledSecrets {
  const kept: string[] = []
  const filled = mapTexts(settings, '', (text, path) => {
    if (text !== KEPT) return text
    const secret = valueAt(stored, path)
    if (typeof secret !== 'string') {
      const rule = `is ${KEPT}, but no secret is stored for it: give the secret itself`
      throw new FieldRefused(`settings.${path}`, rule, `carrier ${carrierId}: ${path} ${rule}`)
    }
    kept.push(path)
    return secret
  })
  return { filled, kept }
}

/**
 * Throws FieldRefused if kept secrets must be given again because the carrier's destination changed: they must not be
 * sent to another host. Nor may a provider be named that makes texts visible (isSecret). Both settings are as the
 * carrier reads them.
 */
export function checkKept(carrierId: string, kept: readonly string[], before: unknown, after: unknown): void {
  if (kept.length === 0) return
  const [old, now] = [leavesOf(before), leavesOf(after)]
  const provider = old.get('provider.name') === now.get('provider.name') ? [] : ['provider']
  const moved = [...provider, ...changedDestinations(old, now)]
  if (moved.length === 0) return
  const changed = `${moved.join(', ')} changed`
  const errors = kept.map((path) => ({ field: `settings.${path}`, detail: `${changed}: give the secret itself` }))
  throw FieldRefused.of(
    errors,
    `carrier ${carrierId}: ${changed}, so ${KEPT} cannot stand for ${kept.join(', ')}: give the secret itself`,
  )
}

/** `isReady`: of ready settings, whose secrets have names of their own. */
export function isSecret(text: string, path: string, isReady = false): boolean {
  if (path.startsWith('secrets.')) return true
  // The value itself is among the constants or secrets.
  if (NAME_ALONE.test(text)) return false
  if (isReady && !isUrl(text) && (text.includes('{{$') || path.endsWith('.user'))) return false
  if (IN_PROOF.test(path)) return PROOF_SECRET.test(path)
  if (isUrl(text)) return hasSecretInUrl(text, isReady)
  if (NO_SECRET.test(path)) return false
  if (path.split('.').some((name) => SECRET_NAME.test(name))) return true
  const member = IN_REQUEST.exec(path)?.[1] ?? 'method'
  if (member === 'method') return false
  return !isReady && !text.includes('{')
}

/**
 * Whether the URL has a user, a query value that is not a placeholder (of ready settings, a long one), or a path
 * segment that looks like a token.
 */
function hasSecretInUrl(text: string, isReady: boolean): boolean {
  const [, authority = '', path = '', rest = ''] = /^[^:]+:\/\/([^/?#]*)([^?#]*)(.*)$/.exec(text) ?? []
  const parts = path.split('/')
  return (
    authority.includes('@') ||
    (isReady ? LONG_VALUE : ANY_VALUE).test(rest) ||
    parts.some((part, at) => isTokenLike(part) || (BEFORE_SECRET.test(parts[at - 1] ?? '') && isValue(part)))
  )
}

/** Long and not letters only; or two values around a colon, as in addresses of bots. */
function isTokenLike(part: string): boolean {
  if (!isValue(part)) return false
  const capitals = part.match(/[A-Z]/g)?.length ?? 0
  return (part.length >= MIN_TOKEN && (/\d/.test(part) || capitals >= MIN_CAPITALS)) || /\w:\w/.test(part)
}

function isValue(part: string): boolean {
  return part !== '' && !part.includes('{')
}

function valueAt(value: unknown, path: string): unknown {
  // Names may contain dots: tries existing names, longest first.
  if (path === '') return value
  if (typeof value !== 'object' || value === null) return undefined
  const name = Object.keys(value)
    .filter((each) => path === each || path.startsWith(`${each}.`))
    .sort((a, b) => b.length - a.length)[0]
  if (name === undefined) return undefined
  return valueAt((value as Readonly<Record<string, unknown>>)[name], path.slice(name.length + 1))
}
