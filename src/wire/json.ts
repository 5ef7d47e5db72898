/** Reads JSON that strangers sent: never throws, and keeps every digit of whole numbers that a double cannot hold. */

export type JsonObject = Readonly<Record<string, unknown>>

/** The object that `text` holds; null when it is anything else. Whole numbers beyond 2^53 come as text of digits. */
export function parseJsonObject(text: string): JsonObject | null {
  const value = parseJson(text)
  return isJsonObject(value) ? value : null
}

/** The same for any JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    // The reviver is dear, so it is used only where a number can be too long.
    return /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Text as it is and numbers as text; empty for everything else. */
export function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source
  const isLost = typeof value === 'number' && !Number.isSafeInteger(value)
  return isLost && source !== undefined && /^-?\d+$/.test(source) ? source : value
}
