/**
 * Times as operators write them: a day such as `2026-03-01`, which is its beginning in UTC, or a time with its zone
 * (RFC 3339) such as `2026-03-01T09:00:00+02:00`. Internally they are milliseconds since 1970.
 */
import { readTime } from './read-time.ts'

/** Returns null for any other text and for a day that does not exist. */
export function readMoment(text: string): number | null {
  return readTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
}

/** Returns the shortest form. */
export function writeMoment(at: number): string {
  const text = new Date(at).toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.replace('.000Z', 'Z')
}
