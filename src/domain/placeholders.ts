/**
 * Placeholders in the texts of a bulk: `{{name}}` stands for the value of a line. A backslash in front keeps it as a
 * text: `\{{name}}` is sent as `{{name}}`. Other braces mean nothing, so `{{1}}` of a chat-app template stays.
 */

/** A letter, then letters, digits and underscores. `{{unsubscribe}}` is the place of a link in any send. */
const PLACEHOLDER = /(\\?)\{\{(?!unsubscribe\}\})([A-Za-z][A-Za-z0-9_]{0,39})\}\}/g

type Values = Readonly<Record<string, string>>

/** Returns the names of all placeholders in the strings of a JSON value, once for each place, in their order. */
export function placeholdersIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return namesIn(value)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(placeholdersIn)
}

/** Returns the JSON value with the placeholders of its strings filled. One without a value is filled with nothing. */
export function fillPlaceholders<T>(value: T, values: Values): T {
  return fill(value, values) as T
}

function fill(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return fillText(value, values)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => fill(each, values))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, values)]))
}

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap(([, backslash, name = '']) => (backslash === '' ? [name] : []))
}

function fillText(text: string, values: Values): string {
  if (!text.includes('{{')) return text
  return text.replace(PLACEHOLDER, (whole: string, backslash: string, name: string) => {
    if (backslash !== '') return whole.slice(1)
    return Object.hasOwn(values, name) ? (values[name] ?? '') : ''
  })
}
