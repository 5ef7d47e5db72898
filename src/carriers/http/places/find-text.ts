/**
 * Finds a value in what a carrier sent: by a path in JSON, `messages[0].id`, or by a pattern in text. Neither can be
 * made slow by the input: patterns that can backtrack far are refused when the settings are read.
 */
import { asText, isJsonObject } from '../../../wire/json.ts'

export type JsonPath = readonly (string | number)[]

/** Reads the text at a path of something. */
export type ReadText = (path: JsonPath) => string

/**
 * Returns an empty text if nothing is found, null if the body should be JSON and is not. `json` is undefined if the
 * body is not JSON.
 */
export type Finder = (body: Body) => string | null

export interface Body {
  readonly text: string
  readonly json: unknown
}

const MAX_DEPTH = 20
const MAX_FOUND_LENGTH = 256
/** Characters of a text that a pattern is matched against. */
const PATTERN_READS = 512
/** A pattern that may match anywhere is tried at each character. */
const MAX_QUANTIFIERS = { atStart: 2, anywhere: 1 }
/** Ways through its `?` and alternatives. */
const MAX_WAYS = 16

/** @throws Error if the text is not a path. */
export function readJsonPath(text: string): JsonPath {
  const steps = text.match(/[^.[\]]+|\[\d{1,4}\]/g) ?? []
  const isWhole =
    steps.map((step, index) => (index === 0 || step.startsWith('[') ? step : `.${step}`)).join('') === text
  if (!isWhole || steps.length === 0 || steps.length > MAX_DEPTH) {
    throw new Error('should be a place in JSON such as messages[0].id')
  }
  return steps.map((step) => (step.startsWith('[') ? Number(step.slice(1, -1)) : step))
}

/** Returns undefined if there is nothing at the path. Ignores inherited properties. */
export function valueAt(json: unknown, path: JsonPath): unknown {
  let value = json
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
  }
  return value
}

/** Returns numbers and booleans as text; empty if there is nothing at the path, or something longer than `max`. */
export function textAt(json: unknown, path: JsonPath, max = MAX_FOUND_LENGTH): string {
  const value = valueAt(json, path)
  const text = typeof value === 'boolean' ? String(value) : asText(value)
  return text.length > max ? '' : text
}

/**
 * Reads a pattern with one group, whose match is the value. A match takes at most some million steps whatever the text
 * is: the square of its length, for each way through the pattern.
 * @throws Error if it is not a valid pattern or could be slow.
 */
export function readPattern(source: string): (text: string) => string {
  const bare = source.replace(/\\[^\d]|\[(?:\\.|[^\]\\])*\]/g, 'x')
  if (/\\\d|\)[*+?{]|\(\?/.test(bare)) throw new Error('should have no groups that repeat, look around or come back')
  const isAtStart = bare.startsWith('^') && !bare.replace(/\(.*\)/s, '').includes('|')
  const max = isAtStart ? MAX_QUANTIFIERS.atStart : MAX_QUANTIFIERS.anywhere
  if (count(bare, /[*+{]/g) > max) throw new Error('should repeat at most once, or twice if it begins with ^')
  if (2 ** count(bare, /\?/g) * (1 + count(bare, /\|/g)) > MAX_WAYS) {
    throw new Error(`should have at most ${MAX_WAYS} ways through its ? and |`)
  }
  if (count(bare, /\(/g) !== 1) throw new Error('should have one group in brackets around the value')
  const pattern = compile(source)
  return (text) => {
    const found = pattern.exec(text.slice(0, PATTERN_READS))?.[1] ?? ''
    return found.length > MAX_FOUND_LENGTH ? '' : found
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

function compile(source: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch {
    throw new Error('should be a regular expression')
  }
}
