/**
 * Matches a text against a pattern with placeholders, `Your code is {{1}}.`, and captures their values. Linear in the
 * length of the text; uses no regular expression from outside.
 */

/** Text, name, text, name … text. */
export type TextPattern = readonly string[]

const PLACEHOLDER = /\{\{\s*(\w{1,60})\s*\}\}/
const MAX_VALUE = 1_024
/** Characters that messengers refuse in the value of a placeholder. */
const REFUSED_IN_VALUES = /[\n\r\t]| {5}/

export function readTextPattern(text: string): TextPattern {
  return unifyLines(text).split(PLACEHOLDER)
}

export function hasPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text)
}

/** Returns the length of the text outside of placeholders. */
export function ownLength(pattern: TextPattern): number {
  return pattern.reduce((sum, piece, index) => (index % 2 === 0 ? sum + piece.length : sum), 0)
}

/**
 * Returns the values by name, in the order of the text; null if the text does not match. Each value is as short as
 * possible.
 */
export function matchText(pattern: TextPattern, given: string): ReadonlyMap<string, string> | null {
  const text = unifyLines(given)
  const values = new Map<string, string>()
  const [head = ''] = pattern
  if (pattern.length === 1) return text === head ? values : null
  const tail = pattern.at(-1) ?? ''
  if (!text.startsWith(head) || !text.endsWith(tail)) return null
  const end = text.length - tail.length
  let at = head.length
  for (let index = 1; index < pattern.length; index += 2) {
    const [name = '', next = ''] = pattern.slice(index, index + 2)
    const stop = index + 2 === pattern.length ? end : text.indexOf(next, at + 1)
    if (stop <= at || stop > end) return null
    const value = text.slice(at, stop)
    if (!isValue(value) || (values.get(name) ?? value) !== value) return null
    values.set(name, value)
    at = stop + next.length
  }
  return values
}

function isValue(value: string): boolean {
  return value.length <= MAX_VALUE && value.trim() !== '' && !REFUSED_IN_VALUES.test(value)
}

function unifyLines(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
