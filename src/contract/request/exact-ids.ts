/**
 * Keeps the `id` of operations as it was sent. JSON.parse loses how a value was written (`1.0`, `-0`, 30 digits), so
 * the bytes of the body are scanned once more, only for bodies that hold such an id.
 */
import { isObject } from './envelope.ts'
import { COLON, endOfString, isKey, QUOTE, skipSpace } from './json-bytes.ts'
import { JsonToken } from './read-json.ts'

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
