/**
 * Finds the credential in the bytes of a request body, so that a large body costs little before its key is known to be
 * good: a scan of 8 MiB takes some milliseconds, and to parse them half a second.
 */
import { endOfString, QUOTE } from './json-bytes.ts'

/** Longer ones are no credentials, bytes. */
const MAX_AUTH_BYTES = 1_024

/** With each of its letters as it is or as an escape. */
const AUTH_KEY = /^(?:a|\\u0061)(?:u|\\u0075)(?:t|\\u0074)(?:h|\\u0068)$/
const MAX_KEY_BYTES = 4 * '\\u0061'.length

const COLON = 0x3a
/** Between the tokens of JSON (RFC 8259, 2). */
const SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Returns what `JSON.parse` makes of the member `auth` of the outermost object; empty when that is no short text. */
export function findAuth(bytes: Buffer): string {
  let level = 0
  let valueAt = -1
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (byte === 0x7b || byte === 0x5b) {
      level += 1
    } else if (byte === 0x7d || byte === 0x5d) {
      level -= 1
    } else if (byte === QUOTE) {
      const end = endOfString(bytes, index + 1)
      if (level === 1 && isAuth(bytes, index + 1, end)) {
        const colon = skipSpace(bytes, end + 1)
        // Of double members the last counts, as in JSON.parse.
        if (bytes[colon] === COLON) valueAt = skipSpace(bytes, colon + 1)
      }
      index = end
    }
  }
  return valueAt < 0 ? '' : readString(bytes, valueAt)
}

function isAuth(bytes: Buffer, start: number, end: number): boolean {
  return end - start >= 4 && end - start <= MAX_KEY_BYTES && AUTH_KEY.test(bytes.toString('latin1', start, end))
}

/** Empty for what is no string, or a long one. */
function readString(bytes: Buffer, start: number): string {
  if (bytes[start] !== QUOTE) return ''
  const end = endOfString(bytes, start + 1)
  if (end - start > MAX_AUTH_BYTES) return ''
  try {
    return String(JSON.parse(bytes.toString('utf8', start, end + 1)))
  } catch {
    return ''
  }
}

function skipSpace(bytes: Buffer, from: number): number {
  let index = from
  while (SPACE.has(bytes[index] ?? -1)) index += 1
  return index
}
