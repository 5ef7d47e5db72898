/**
 * Moments as people write them: a day such as `2026-03-01`, which is its beginning in UTC, or a time with its zone
 * (RFC 3339) such as `2026-03-01T09:00:00+02:00`. Inside they are milliseconds since 1970.
 */

const WRITTEN = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d))?$/

/** Null for what is neither, and for a day that no calendar has. */
export function readMoment(text: string): number | null {
  const [, day, time = ''] = WRITTEN.exec(text) ?? []
  if (day === undefined) return null
  const beginning = Date.parse(`${day}T00:00:00Z`)
  // An engine may take 30 February for 2 March.
  if (Number.isNaN(beginning) || !new Date(beginning).toISOString().startsWith(day)) return null
  const at = time === '' ? beginning : Date.parse(text)
  return Number.isNaN(at) ? null : at
}

/** As short as it can be written. */
export function writeMoment(at: number): string {
  const text = new Date(at).toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.replace('.000Z', 'Z')
}
