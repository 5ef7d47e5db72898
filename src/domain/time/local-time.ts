/** Local time in a time zone of the IANA database: the offset from UTC, and days and minutes. */

/** Offsets change only at whole quarters of an hour, worldwide. */
const QUARTER_MS = 900_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

interface KnownOffset {
  readonly quarter: number
  readonly offsetMs: number
}

/** The form of the name of a zone, and what is wrong with others. */
export const ZONE_PATTERN = '^[A-Za-z][A-Za-z0-9_+/-]{0,49}$'
export const ZONE_RULE = 'must be a time zone, such as Europe/Berlin'

/** A zone may be written in many ways, such as `europe/BERLIN`. */
const MAX_FORMATS = 1_000
const formats = new Map<string, Intl.DateTimeFormat>()
/** The last offset requested for each zone: nearly all requests are about the present. */
const lastOffsets = new Map<string, KnownOffset>()

/** Returns whether a zone of this name exists: `Europe/Berlin`, `UTC`. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** Returns what to add to UTC, milliseconds. Throws a RangeError for an unknown zone. */
export function offsetAt(zone: string, at: number): number {
  if (zone === 'UTC') return 0
  const quarter = Math.floor(at / QUARTER_MS)
  const known = lastOffsets.get(zone)
  if (known?.quarter === quarter) return known.offsetMs
  const offsetMs = readClock(zone, quarter * QUARTER_MS) - quarter * QUARTER_MS
  lastOffsets.set(zone, { quarter, offsetMs })
  return offsetMs
}

/**
 * Returns when the offset of a zone changes after `from` and not after `to`, at most a day apart; null if it does not.
 */
export function changeOfOffset(zone: string, from: number, to: number): number | null {
  const before = offsetAt(zone, from)
  if (offsetAt(zone, to) === before) return null
  let [first, last] = [Math.floor(from / QUARTER_MS), Math.floor(to / QUARTER_MS)]
  while (last - first > 1) {
    const middle = Math.floor((first + last) / 2)
    if (offsetAt(zone, middle * QUARTER_MS) === before) first = middle
    else last = middle
  }
  return last * QUARTER_MS
}

/**
 * Returns when a clock in the zone shows this time, given as if it were UTC. A time that the clock shows twice is the
 * first of the two; one that it skips is as much later as it skips.
 */
export function fromLocal(zone: string, local: number): number {
  const before = offsetAt(zone, local - DAY_MS)
  const after = offsetAt(zone, local + DAY_MS)
  if (offsetAt(zone, local - before) === before) return local - before
  return offsetAt(zone, local - after) === after ? local - after : local - before
}

/** Returns the local day in a zone: days since 1970. */
export function localDay(zone: string, at: number): number {
  return Math.floor((at + offsetAt(zone, at)) / DAY_MS)
}

/** Returns the local minutes since midnight in a zone, with their fraction. */
export function localMinute(zone: string, at: number): number {
  const local = at + offsetAt(zone, at)
  return (local - Math.floor(local / DAY_MS) * DAY_MS) / MINUTE_MS
}

/** Returns the local time in a zone, as if it were UTC. */
function readClock(zone: string, at: number): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute)
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  if (formats.size >= MAX_FORMATS) {
    formats.clear()
    lastOffsets.clear()
  }
  formats.set(zone, format)
  return format
}
