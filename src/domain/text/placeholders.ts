/**
 * Placeholders in the texts of a bulk: `{{name}}` stands for the value of a line. A backslash in front keeps it as a
 * text: `\{{name}}` is sent as `{{name}}`. Other braces mean nothing, so `{{1}}` of a chat-app template stays.
 */

/** A letter, then letters, digits and underscores. `{{unsubscribe}}` is the place of a link in any send. */
const PLACEHOLDER = /(\\?)\{\{(?!unsubscribe\}\})([A-Za-z][A-Za-z0-9_]{0,39})\}\}/g

const NEAR_PLACEHOLDER = /\{\{(?: {1,3}\w{1,40} {0,3}|\w{1,40} {1,3})\}\}|(?<!\{)\{[A-Za-z]\w{0,39}\}(?!\})/g

type Values = Readonly<Record<string, string>>

/** Returns the names of all placeholders in the strings of a JSON value, once for each place, in their order. */
export function placeholdersIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return namesIn(value)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(placeholdersIn)
}

/** Returns the JSON value with the placeholders of its strings filled. One without a value is filled with nothing. */
export function fillPlaceholders<T>(value: T, values: Values): T {
  return fill(value, values) as T
}

/** Returns what looks like a placeholder in the strings of a JSON value and is none, such as `{{ name }}`. */
export function nearPlaceholdersIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.match(NEAR_PLACEHOLDER) ?? []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(nearPlaceholdersIn)
}

function fill(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return fillText(value, values)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => fill(each, values))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, values)]))
}

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap(([, backslash, name = '']) => (backslash === '' ? [name] : []))
}

function fillText(text: string, values: Values): string {
  if (!text.includes('{{')) return text
  let filled = ''
  let end = 0
  for (const { 0: whole, 1: backslash, 2: name = '', index } of text.matchAll(PLACEHOLDER)) {
    filled += text.slice(end, index)
    end = index + whole.length
    if (backslash !== '') filled += whole.slice(1)
    else if (Object.hasOwn(values, name)) filled += encodeFor(filled, values[name] ?? '')
  }
  return filled + text.slice(end)
}

/** An address up to its path, query or fragment, which is the rest. */
const ADDRESS = /(?:https?:\/\/[^/?#]+|(?:^|[^\p{L}\p{N}.-])(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?)[/?#]/iu
/** An address has none of them. */
const GAP = /[\s<>"\p{Cc}\p{Z}]/u
/** Longest address in which values are encoded, characters. */
const MAX_ADDRESS = 2_048

/** Returns the value as it is written after this text: percent-encoded in the path or query of an address. */
function encodeFor(before: string, value: string): string {
  let start = before.length
  while (start > 0 && before.length - start < MAX_ADDRESS && !GAP.test(before.charAt(start - 1))) start -= 1
  const match = ADDRESS.exec(before.slice(start))
  if (match === null) return value
  const encoded = encodeURIComponent(value.toWellFormed())
  // A value may be several segments of the path.
  const isPath = !/[?#]/.test(before.slice(start + match.index + match[0].length - 1))
  return isPath ? encoded.replaceAll('%2F', '/') : encoded
}
