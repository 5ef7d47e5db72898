/**
 * Secrets in a carrier's settings, as a configuration file has them: `<kept>` in their place. Rather hides too much than
 * too little: what stands in a request of a generic HTTP carrier is a secret unless it is plainly a template.
 */
import { ChangeRefused } from '../../ports/store.ts'

const KEPT = '<kept>'

const SECRET_NAME = /pass|pwd|secret|token|key|auth|credential|pin$/i
/** Addresses where tokens are had, and the names of the fields that a callback has. */
const NO_SECRET = /(?:_uri|_url|Uri|Url)$|^callbackFields\./

/** The settings with every secret hidden. */
export function hideSecrets(settings: unknown): unknown {
  return mapTexts(settings, '', (text, path) => (isSecret(text, path) ? KEPT : text))
}

/** The settings with what was kept put back. Throws a ChangeRefused that names what was not kept anywhere. */
export function fillSecrets(carrierId: string, settings: unknown, stored: unknown): unknown {
  return mapTexts(settings, '', (text, path) => {
    if (text !== KEPT) return text
    const kept = valueAt(stored, path)
    if (typeof kept === 'string') return kept
    throw new ChangeRefused(`carrier ${carrierId}: ${path} is ${KEPT}, and nothing is kept for it here: write it out`)
  })
}

export function isSecret(text: string, path: string): boolean {
  if (NO_SECRET.test(path)) return false
  if (path.split('.').some((name) => SECRET_NAME.test(name)) || /:\/\/[^/]*@/.test(text)) return true
  if (!path.startsWith('request.') || path === 'request.method') return false
  if (path === 'request.address') return /[?&][^=]*=[^{&]/.test(text)
  return !text.includes('{')
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
