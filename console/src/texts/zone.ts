/** Days in a time zone: `2026-11-30`. */

const DAY_MS = 86_400_000

/** Returns the zone of the browser, such as `Europe/Berlin`. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC'
}

/** Returns whether the browser knows the zone. */
export function isZone(zone: unknown): zone is string {
  if (typeof zone !== 'string' || zone === '') return false
  try {
    return formatOf(zone) !== undefined
  } catch {
    return false
  }
}

/** Returns the day of a time, milliseconds. */
export function dayIn(zone: string, at: number): string {
  return localTime(zone, at).slice(0, 10)
}

/** Returns the day so many days before another one. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the days from the first to the last one. */
export function daysFrom(first: string, last: string): readonly string[] {
  const count = Math.max(0, Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1)
  return Array.from({ length: count }, (_, index) => daysBefore(first, -index))
}

/** Returns when a day begins, milliseconds. */
export function startOfDay(zone: string, day: string): number {
  const local = Date.parse(day)
  const offset = (at: number) => Date.parse(`${localTime(zone, at)}Z`) - at
  // The offset may change between midnight there and midnight in UTC.
  return local - offset(local - offset(local))
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const date = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...date, ...time })
  formats.set(zone, format)
  return format
}

/** Returns `2026-11-30T14:05:00`. */
function localTime(zone: string, at: number): string {
  return formatOf(zone).format(at).replace(' ', 'T')
}
