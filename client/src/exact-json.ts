/**
 * JSON whose whole numbers keep every digit: beyond 2^53 they are bigints, in both directions. Made without the
 * reviver's source text, which Node 20 and older browsers do not have.
 */

/** Such a run of digits is the least that a number beyond 2^53 needs. */
const LONG_NUMBER = /\d{16}/

/** Strings, with what makes a key of them, and numbers. Applied to valid JSON only. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** @throws SyntaxError when the text is no JSON. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!LONG_NUMBER.test(text)) return value
  // Every string gets an `s` in front, so that a number in a string with an `n` in front cannot be mistaken for one.
  const marked = text.replace(TOKEN, (token: string, string?: string, colon?: string) => {
    if (string === undefined) return isUnsafe(token) ? `"n${token}"` : token
    return colon === undefined ? `"s${token.slice(1)}` : token
  })
  return JSON.parse(marked, (_, marking: unknown) => {
    if (typeof marking !== 'string') return marking
    return marking.startsWith('n') ? BigInt(marking.slice(1)) : marking.slice(1)
  })
}

function isUnsafe(token: string): boolean {
  return /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))
}

/**
 * One object as JSON, fields that are undefined left out.
 * @throws TypeError for numbers that JSON would spoil, naming the field.
 */
export function writeExact(fields: object): string {
  const members: string[] = []
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${writeValue(name, value)}`)
  }
  return `{${members.join(',')}}`
}

function writeValue(name: string, value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  let text: string | undefined
  try {
    text = JSON.stringify(value, checked)
  } catch (error) {
    throw new TypeError(`${name}: ${error instanceof Unsendable ? error.message : CANNOT_BE_SENT}`)
  }
  // An invalid date is written as null.
  if (text === undefined || (text === 'null' && value !== null)) throw new TypeError(`${name}: ${CANNOT_BE_SENT}`)
  return text
}

const CANNOT_BE_SENT = 'must be a string, a number, a boolean, a valid Date, or an object or array of them'

class Unsendable extends Error {}

/** Also checks the numbers inside of an object, such as the message of a bulk. */
function checked(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') throw new Unsendable('a bigint inside of an object cannot be sent; give a string')
  if (typeof value === 'number' && (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER)) {
    throw new Unsendable(`${value} is no number that can be sent; beyond 2^53 give a bigint or a string`)
  }
  return value
}
