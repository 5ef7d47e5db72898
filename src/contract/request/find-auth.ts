/**
 * Finds the credential in the bytes of a request body, so that a large body costs little before its key is known to be
 * good: only its first and its last 64 KiB are looked at, whatever stands there and in between.
 */
import { COLON, endOfString, isKey, QUOTE, skipSpace, startOfString } from './read-json.ts'

/** Longer ones are no credentials, bytes. */
const MAX_AUTH_BYTES = 1_024

/** Of each end of a body, bytes. */
const WINDOW_BYTES = 64 * 1024

/**
 * Returns what `JSON.parse` makes of the member `auth` of the outermost object; empty when that is no short text, or
 * stands further than 64 KiB from both ends.
 */
export function findAuth(bytes: Buffer): string {
  // Of double members the last counts, as in JSON.parse.
  return findInTail(bytes.subarray(-WINDOW_BYTES)) ?? findInHead(bytes.subarray(0, WINDOW_BYTES))
}

/** Reads from the end towards the beginning. Null when there is no such member. */
function findInTail(bytes: Buffer): string | null {
  let level = 0
  for (let index = bytes.length - 1; index >= 0; index -= 1) {
    const byte = bytes[index]
    if (byte === 0x7d || byte === 0x5d) {
      level += 1
    } else if (byte === 0x7b || byte === 0x5b) {
      level -= 1
    } else if (byte === QUOTE) {
      const end = index
      index = startOfString(bytes, end)
      const valueAt = level === 1 && index >= 0 && isKey(bytes, index + 1, end, 'auth') ? findValue(bytes, end) : -1
      if (valueAt >= 0) return readString(bytes, valueAt)
    }
  }
  return null
}

function findInHead(bytes: Buffer): string {
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
      if (level === 1 && isKey(bytes, index + 1, end, 'auth')) valueAt = Math.max(valueAt, findValue(bytes, end))
      index = end
    }
  }
  return valueAt < 0 ? '' : readString(bytes, valueAt)
}

/** Where the value of the member stands whose key ends there; -1 when it is no key. */
function findValue(bytes: Buffer, endOfKey: number): number {
  const colon = skipSpace(bytes, endOfKey + 1)
  return bytes[colon] === COLON ? skipSpace(bytes, colon + 1) : -1
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
