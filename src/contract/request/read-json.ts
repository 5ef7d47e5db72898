/**
 * The JSON of a request body: measures how deep and large it is before it is parsed, parses it, and keeps ids exactly
 * as they were written. Refuses what is not UTF-8 or not JSON. A byte order mark is passed over, of double keys the
 * last wins.
 */
import { isUtf8 } from 'node:buffer'
import { isObject } from './envelope.ts'
import { jsonTooDeep, REQUEST_ERRORS, tooManyMembers, tooManyOperations } from './error-texts.ts'
import { Refused } from './refused.ts'

/** A JSON value as it was sent, where its JavaScript value would be written in another way: `1.0`, `-0`, 30 digits. */
export class JsonToken {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** The text of a body. Throws a Refused when it is not UTF-8. */
export function readText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Refused(isCompressed(bytes) ? REQUEST_ERRORS.compressed : REQUEST_ERRORS.utf8)
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  return bytes.toString('utf8', start)
}

/** First bytes of gzip and Zstandard, and of zlib at its usual levels. */
const COMPRESSED = ['1f8b', '28b52ffd', '7801', '785e', '789c', '78da']

function isCompressed(bytes: Buffer): boolean {
  const start = bytes.toString('hex', 0, 4)
  return COMPRESSED.some((magic) => start.startsWith(magic))
}

/** The value of a JSON text. Throws a Refused when it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(REQUEST_ERRORS.json)
  }
}

/** Helpers for scanning JSON as bytes. */
export const QUOTE = 0x22
export const COLON = 0x3a
const BACKSLASH = 0x5c
/** Between the tokens of JSON (RFC 8259, 2). */
const SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

const SMALL_U = 0x75
const ESCAPE_LENGTH = '\\u0061'.length

/**
 * Returns the position of the opening quote of the string whose closing one is at `end`; -1 if it is not in the bytes.
 */
export function startOfString(bytes: Buffer, end: number): number {
  let index = end - 1
  while (index >= 0) {
    if (bytes[index] !== QUOTE) {
      index -= 1
      continue
    }
    let before = index - 1
    while (before >= 0 && bytes[before] === BACKSLASH) before -= 1
    // After an odd number of backslashes it is a character of the string.
    if ((index - before) % 2 === 1) return index
    index = before
  }
  return -1
}

/**
 * Returns the position of the closing quote of the string whose content begins at `start`; the end of the bytes if it
 * is open.
 */
export function endOfString(bytes: Buffer, start: number): number {
  const end = bytes.length
  let index = start
  while (index < end && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1
  return index
}

export function skipSpace(bytes: Buffer, from: number): number {
  let index = from
  while (SPACE.has(bytes[index] ?? -1)) index += 1
  return index
}

/**
 * Returns whether the string between the quotes is this ASCII name, each letter plain or as an escape such as `\u0061`.
 */
export function isKey(bytes: Buffer, start: number, end: number, name: string): boolean {
  let index = start
  for (let letter = 0; letter < name.length; letter += 1) {
    const code = name.charCodeAt(letter)
    if (index >= end) return false
    if (bytes[index] === code) index += 1
    else if (isEscapeOf(bytes, index, code)) index += ESCAPE_LENGTH
    else return false
  }
  return index === end
}

function isEscapeOf(bytes: Buffer, index: number, code: number): boolean {
  if (bytes[index] !== BACKSLASH || bytes[index + 1] !== SMALL_U) return false
  const digits = bytes.toString('latin1', index + 2, index + ESCAPE_LENGTH)
  return digits.toLowerCase() === code.toString(16).padStart(4, '0')
}

/**
 * Measures a request body before it is parsed: what a body costs grows with its members and operations rather than with
 * its bytes. One pass over the bytes, which ends at the first limit that is exceeded.
 */
export interface JsonLimits {
  /** Objects and arrays inside each other. */
  readonly levels: number
  /** Elements of the member `data`; absent while nothing is known of the account. */
  readonly operations?: number
}

export interface JsonMeasure {
  /** Elements of the array `data` of the outermost object; of double members the last counts, as in JSON.parse. */
  readonly operations: number
  /** How many members and elements its objects and arrays have in all, at least: its commas outside of strings. */
  readonly members: number
}

/** More than the operations have use for, and few enough that no single request keeps the others waiting for long. */
const MEMBERS_OF_OPERATION = 40
const MEMBERS_OF_REQUEST = 1_000

/** Throws a Refused for the first limit that is exceeded. Of what is no JSON it may find anything. */
export function measureJson(
  bytes: Buffer,
  { levels, operations: most = Number.POSITIVE_INFINITY }: JsonLimits,
): JsonMeasure {
  const memberLimit = maxMembers(most)
  let level = 0
  let members = 0
  let operations = 0
  let inData = false
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number
    if (byte === QUOTE) {
      const end = endOfString(bytes, index + 1)
      if (level === 1 && isData(bytes, index + 1, end)) {
        inData = true
        operations = isEmptyArray(bytes, end) ? 0 : 1
      }
      index = end
    } else if (byte === COMMA) {
      members += 1
      if (members > memberLimit) throw new Refused(tooManyMembers(memberLimit))
      if (level === 1) inData = false
      if (inData && level === 2) operations += 1
      if (operations > most) throw new Refused(tooManyOperations(most))
    } else if (byte === 0x7b || byte === 0x5b) {
      level += 1
      if (level > levels) throw new Refused(jsonTooDeep(levels))
    } else if (byte === 0x7d || byte === 0x5d) {
      level -= 1
    }
  }
  return { operations, members }
}

/** Ignored members and lists are work too. Throws a Refused. */
export function checkMembers({ members }: JsonMeasure, operations: number): void {
  const most = maxMembers(operations)
  if (members > most) throw new Refused(tooManyMembers(most))
}

function maxMembers(operations: number): number {
  return MEMBERS_OF_REQUEST + MEMBERS_OF_OPERATION * operations
}

function isData(bytes: Buffer, start: number, end: number): boolean {
  return isKey(bytes, start, end, 'data') && bytes[skipSpace(bytes, end + 1)] === COLON
}

function isEmptyArray(bytes: Buffer, endOfKey: number): boolean {
  const colon = skipSpace(bytes, endOfKey + 1)
  const open = skipSpace(bytes, colon + 1)
  return bytes[open] !== 0x5b || bytes[skipSpace(bytes, open + 1)] === 0x5d
}

/**
 * Keeps the `id` of operations as it was sent. JSON.parse loses how a value was written (`1.0`, `-0`, 30 digits), so
 * the bytes of the body are scanned once more, only for bodies that hold such an id.
 */

/**
 * An `id` that JavaScript would write in another way: 16 digits and more, a fraction, an exponent, minus zero, a string
 * with escapes; or a key that hides `id` behind escapes. May find one where there is none, never the other way round.
 */
const UNUSUAL_ID = /"id"\s*:\s*(?:-?\d{16}|-0|-?\d+[.eE]|"[^"]*\\)|\\u006[94]/

/** Returns whether some `id` in the text of a body may be written in another way than JavaScript writes its value. */
export function mayHaveUnusualIds(text: string): boolean {
  return UNUSUAL_ID.test(text)
}

/**
 * Returns the operations `data` of a body with each unusual `id` as a JsonToken. `body` is valid JSON and `data` is
 * what JSON.parse made of the member `data` of its outermost object. Takes time in proportion to the bytes.
 */
export function keepExactIds(body: Buffer, data: readonly unknown[]): readonly unknown[] {
  const exact = [...data]
  for (const [index, start] of findIds(body)) {
    const operation = data[index]
    if (!isObject(operation)) continue
    const { id } = operation
    if (typeof id === 'object') continue
    const source = body.toString('utf8', start, endOfScalar(body, start))
    if (JSON.stringify(id) !== source) exact[index] = { ...operation, id: new JsonToken(source) }
  }
  return exact
}

const COMMA = 0x2c
/** Inside the outermost object, the array `data`, and an operation. */
const LEVEL = { request: 1, data: 2, operation: 3 }

/** Returns where the value of `id` begins, by the index of its operation. Of double members the last counts. */
function findIds(body: Buffer): ReadonlyMap<number, number> {
  const starts = new Map<number, number>()
  let level = 0
  let operation = 0
  let inData = false
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index] as number
    if (byte === QUOTE) {
      const start = index + 1
      index = endOfString(body, start)
      if (level === LEVEL.request && isMember(body, start, index, 'data')) {
        starts.clear()
        operation = 0
        inData = true
      } else if (inData && level === LEVEL.operation && isMember(body, start, index, 'id')) {
        starts.set(operation, valueAfter(body, index))
      }
    } else if (byte === COMMA) {
      if (level === LEVEL.request) inData = false
      if (level === LEVEL.data) operation += 1
    } else if (byte === 0x7b || byte === 0x5b) {
      level += 1
    } else if (byte === 0x7d || byte === 0x5d) {
      level -= 1
    }
  }
  return starts
}

/** Whether the string between the quotes is the key of a member of this name. */
function isMember(body: Buffer, start: number, end: number, name: string): boolean {
  return isKey(body, start, end, name) && body[skipSpace(body, end + 1)] === COLON
}

function valueAfter(body: Buffer, endOfKey: number): number {
  return skipSpace(body, skipSpace(body, endOfKey + 1) + 1)
}

/** Where the token ends of the string, number or word that begins there. */
function endOfScalar(body: Buffer, start: number): number {
  if (body[start] === QUOTE) return endOfString(body, start + 1) + 1
  let end = start
  while (SCALAR.has(body[end] ?? -1)) end += 1
  return end
}

/** What numbers, `true`, `false` and `null` are written with. */
const SCALAR: ReadonlySet<number> = new Set(Buffer.from('+-.0123456789Eaeflnrstu'))
