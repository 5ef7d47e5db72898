/**
 * Holds a text against one with placeholders, `Your code is {{1}}.`, and captures what stands in their place. Linear in
 * the text whatever both are, and made without regular expressions from outside.
 */

/** Text, name, text, name … text. */
export type TextPattern = readonly string[]

const PLACEHOLDER = /\{\{\s*(\w{1,60})\s*\}\}/
const LONGEST_VALUE = 1_024
/** What messengers do not take in the place of a placeholder. */
const REFUSED_IN_VALUES = /[\n\r\t]| {5}/

export function readTextPattern(text: string): TextPattern {
  return unifyLines(text).split(PLACEHOLDER)
}

export function hasPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text)
}

/** How much text there is beside the placeholders. */
export function ownLength(pattern: TextPattern): number {
  return pattern.reduce((sum, piece, index) => (index % 2 === 0 ? sum + piece.length : sum), 0)
}

/** The values by name, in the order of the text; null when it does not fit. Each is as short as the next text allows. */
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
  return value.length <= LONGEST_VALUE && value.trim() !== '' && !REFUSED_IN_VALUES.test(value)
}

function unifyLines(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
