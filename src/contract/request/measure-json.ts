/**
 * Measures a request body before it is parsed: what a body costs grows with its members and operations rather than with
 * its bytes. One pass over the bytes, which ends at the first limit that is exceeded.
 */
import { jsonTooDeep, tooManyMembers, tooManyOperations } from './error-texts.ts'
import { COLON, endOfString, isKey, QUOTE, skipSpace } from './json-bytes.ts'
import { Refused } from './refused.ts'

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

const COMMA = 0x2c

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
