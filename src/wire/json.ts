/** Parses JSON of external systems: never throws, and keeps every digit of integers that a double cannot hold. */

export type JsonObject = Readonly<Record<string, unknown>>

/** Members and elements of one text: 40 for each of 1,000 receipts. Parsing takes time for each of them. */
export const MAX_MEMBERS = 40_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/** Returns the object in `text`; null for anything else. Integers beyond 2^53 are returned as text. */
export function parseJsonObject(text: string): JsonObject | null {
  const value = parseJson(text)
  return isJsonObject(value) ? value : null
}

/** Returns the JSON value in `text`; undefined if it is not JSON, or has too many members. */
export function parseJson(text: string): unknown {
  if (hasTooManyMembers(text)) return undefined
  try {
    // The reviver is slow, so it is used only if a number may be too long.
    return /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Counts the commas outside of strings. */
export function hasTooManyMembers(text: string): boolean {
  // As many members have at least as many commas.
  if (text.length <= MAX_MEMBERS) return false
  let members = 1
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === COMMA) members += 1
    else if (code === QUOTE) index = endOfString(text, index + 1)
    if (members > MAX_MEMBERS) return true
  }
  return false
}

/** Returns the position of the closing quote of the string whose content begins at `start`. */
function endOfString(text: string, start: number): number {
  let index = start
  while (index < text.length && text.charCodeAt(index) !== QUOTE) {
    index += text.charCodeAt(index) === BACKSLASH ? 2 : 1
  }
  return index
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns text unchanged and numbers as text; empty for anything else. */
export function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Returns text unchanged; undefined for anything else. */
export function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source
  const isLost = typeof value === 'number' && !Number.isSafeInteger(value)
  return isLost && source !== undefined && /^-?\d+$/.test(source) ? source : value
}
