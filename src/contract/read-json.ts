/**
 * Reads a request body: bytes to a value. Refuses what is not UTF-8, not JSON or nested too deep, before anything is
 * built of it; never recurses over what the network sent. A byte order mark is passed over, of double keys the last wins.
 */
import { isUtf8 } from 'node:buffer'
import { jsonTooDeep, REQUEST_ERRORS } from './error-texts.ts'
import { endOfString, QUOTE } from './json-bytes.ts'
import { Refused } from './refused.ts'

/** A JSON value as it was sent, where its JavaScript value would be written in another way: `1.0`, `-0`, 30 digits. */
export class JsonToken {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** The text of a body. Throws a Refused when it is not UTF-8 or nested too deep. */
export function readText(bytes: Buffer, mostLevels: number): string {
  if (!isUtf8(bytes)) throw new Refused(REQUEST_ERRORS.utf8)
  if (isDeeperThan(bytes, mostLevels)) throw new Refused(jsonTooDeep(mostLevels))
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  return bytes.toString('utf8', start)
}

/** The value of a JSON text. Throws a Refused when it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(REQUEST_ERRORS.json)
  }
}

/**
 * An `id` that JavaScript would write in another way: 16 digits and more, a fraction, an exponent, minus zero, a string
 * with escapes; or a key that hides `id` behind escapes. May find one where there is none, never the other way round.
 */
const UNUSUAL_ID = /"id"\s*:\s*(?:-?\d{16}|-0|-?\d+[.eE]|"[^"]*\\)|\\u006[94]/

/**
 * The same value with every unusual `id` as a JsonToken; null when there is none. The reviver makes it some ten times
 * dearer than `readJson`, so it is meant for callers whose key is known to be good.
 */
export function readExactIds(text: string): unknown {
  return UNUSUAL_ID.test(text) ? parseWithSource(text, keepId) : null
}

function keepId(key: string, value: unknown, context: { readonly source?: string }): unknown {
  const { source } = context
  if (key !== 'id' || source === undefined || JSON.stringify(value) === source) return value
  return new JsonToken(source)
}

/** TypeScript does not know the reviver's third argument yet. */
const parseWithSource = JSON.parse as (text: string, reviver: typeof keepId) => unknown

/**
 * How many members and elements the objects and arrays of a body have in all, at least: its separators outside of strings.
 * What a body costs grows with them rather than with its bytes.
 */
export function countSeparators(bytes: Buffer): number {
  let count = 0
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (byte === QUOTE) index = endOfString(bytes, index + 1)
    else if (byte === COMMA) count += 1
  }
  return count
}

const COMMA = 0x2c

function isDeeperThan(bytes: Buffer, mostLevels: number): boolean {
  const end = bytes.length
  let level = 0
  for (let index = 0; index < end; index += 1) {
    const byte = bytes[index]
    if (byte === QUOTE) {
      index = endOfString(bytes, index + 1)
    } else if (byte === 0x7b || byte === 0x5b) {
      level += 1
      if (level > mostLevels) return true
    } else if (byte === 0x7d || byte === 0x5d) {
      level -= 1
    }
  }
  return false
}
