/** Settings are typed as JSON. */

/** Returns null for anything but an object. */
export function readJsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as never) : null
  } catch {
    return null
  }
}
