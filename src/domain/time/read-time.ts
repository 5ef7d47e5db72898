/**
 * Reads times in RFC 3339 format, `2026-03-01T09:00:00+02:00`, also as programs shorten it: `2026-03-01T09:00+0200`.
 * Those without an offset are read in a time zone.
 */
import { fromLocal } from './local-time.ts'

const WRITTEN = /^(\d{4}-\d\d-\d\d)[t ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:z|([+-])(\d\d):?(\d\d))$/i

/**
 * Returns milliseconds since 1970, finer fractions cut off; null for any other text and for a time that does not exist.
 */
export function readTime(text: string): number | null {
  const [, day = '', hours, minutes, seconds = '00', fraction = '', sign, offsetHours = 0, offsetMinutes = 0] =
    WRITTEN.exec(text) ?? []
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Some engines take 30 February for 2 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return null
  // A minute may have a leap second (5.6).
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 60) return null
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1)
  const wholeSeconds = (Number(hours) * 60 + Number(minutes) - offset) * 60 + Number(seconds)
  return midnight + wholeSeconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
}

const WITHOUT_OFFSET = /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?$/i

/** Returns whether the text is a time that only lacks its offset. */
export function lacksOffset(text: string): boolean {
  return WITHOUT_OFFSET.test(text) && readTimeIn('UTC', text) !== null
}

/** Returns whether the text has the form of a time, possibly of one that does not exist, such as 30 February. */
export function looksLikeTime(text: string): boolean {
  return WRITTEN.test(text) || WITHOUT_OFFSET.test(text)
}

/** Reads the same, and times without an offset in this time zone: `2026-03-01T09:00`, `2026-03-01 09:00:00`. */
export function readTimeIn(zone: string, text: string): number | null {
  const [, day, minute, second = ':00'] = WITHOUT_OFFSET.exec(text) ?? []
  if (day === undefined) return readTime(text)
  const local = readTime(`${day}T${minute}${second}Z`)
  return local === null ? null : fromLocal(zone, local)
}
