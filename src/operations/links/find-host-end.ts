/**
 * Finds where the host of an address ends, by the grammar of linkify-it. Its pattern tries a label in several ways,
 * which takes exponential time for hosts that fail; here each label is one run of characters and is read once.
 */
import { isIPv6 } from 'node:net'

/** Maximum characters of user and password, and of an IPv6 address. */
const MAX_AUTH_CHARACTERS = 50
const MAX_IPV6_CHARACTERS = 45
/** Limits of a host (RFC 1035, 2.3.4), and of linkify-it: ten labels before the last one. */
export const MAX_LABEL_CHARACTERS = 63
export const MAX_LABELS_BEFORE_LAST = 10

/** Characters that cannot be part of a label; a dash may be inside one. */
export const OUTSIDE_LABEL = /[<>\uff5c\p{Z}\p{P}\p{Cc}]/u
const LABEL_RUN = new RegExp(`(?:(?!${OUTSIDE_LABEL.source}).|-){1,${MAX_LABEL_CHARACTERS + 1}}`, 'suy')
const MARK = /[\p{Z}\p{P}\p{Cc}]/u
const PUNYCODE_LABEL = /^xn--[a-z0-9-]{1,59}$/i
const NOT_IN_AUTH = /[@/[\]()\p{Z}\p{Cc}]/u
const PORT = /:(\d{1,6})/y
const MAX_PORT = 65_535

/** Returns the end of user, host and port that begin at `from`; -1 if there is no host. */
export function findHostEnd(text: string, from: number): number {
  const at = findAt(text, from)
  const end = at > from ? readHost(text, at + 1) : -1
  return end < 0 ? readHost(text, from) : end
}

/** Whether an address may end here, before the path: a word must not go on. */
function endsHost(text: string, end: number): boolean {
  const next = text.charAt(end)
  if (next === '') return true
  if (next === '-' || next === '_' || isLabelCharacter(text, end)) return false
  const following = text.charAt(end + 1)
  if (next === ':') return !/\d/.test(following)
  return next !== '.' || following === '' || (following !== '-' && MARK.test(following))
}

/** Returns the place of the `@` after user and password; -1 without them. */
function findAt(text: string, from: number): number {
  for (let index = from; index <= from + MAX_AUTH_CHARACTERS && index < text.length; index += 1) {
    const character = text.charAt(index)
    if (character === '@') return index
    if (NOT_IN_AUTH.test(character)) return -1
  }
  return -1
}

function readHost(text: string, from: number): number {
  const hostEnd = text[from] === '[' ? readIPv6(text, from) : readLabels(text, from)
  if (hostEnd < 0) return -1
  const end = readPort(text, hostEnd)
  return endsHost(text, end) ? end : -1
}

function readIPv6(text: string, from: number): number {
  const end = from + 1 + text.slice(from + 1, from + 2 + MAX_IPV6_CHARACTERS).indexOf(']')
  return end > from && isIPv6(text.slice(from + 1, end)) ? end + 1 : -1
}

function readLabels(text: string, from: number): number {
  let start = from
  for (let before = 0; before <= MAX_LABELS_BEFORE_LAST; before += 1) {
    LABEL_RUN.lastIndex = start
    const label = LABEL_RUN.exec(text)?.[0]
    if (label === undefined || !isLabel(label)) return -1
    const end = start + label.length
    if (text[end] !== '.' || !isLabelCharacter(text, end + 1)) return end
    start = end + 1
  }
  return -1
}

function isLabel(label: string): boolean {
  if (PUNYCODE_LABEL.test(label)) return true
  return !label.startsWith('-') && !label.endsWith('-') && [...label].length <= MAX_LABEL_CHARACTERS
}

function readPort(text: string, from: number): number {
  PORT.lastIndex = from
  const digits = PORT.exec(text)?.[1]
  if (digits === undefined || Number(digits) > MAX_PORT || (digits.length > 4 && digits.startsWith('0'))) return from
  return from + 1 + digits.length
}

function isLabelCharacter(text: string, index: number): boolean {
  const character = text.codePointAt(index)
  return character !== undefined && !OUTSIDE_LABEL.test(String.fromCodePoint(character))
}
