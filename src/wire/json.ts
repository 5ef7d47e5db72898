/** Parses JSON of external systems: never throws, and keeps every digit of integers that a double cannot hold. */

export type JsonObject = Readonly<Record<string, unknown>>

/** Returns the object in `text`; null for anything else. Integers beyond 2^53 are returned as text. */
export function parseJsonObject(text: string): JsonObject | null {
  const value = parseJson(text)
  return isJsonObject(value) ? value : null
}

/** Returns the JSON value in `text`; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    // The reviver is slow, so it is used only if a number may be too long.
    return /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
  } catch {
    return undefined
  }
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
