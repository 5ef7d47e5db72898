/** What clocks show in a time zone: the offset from UTC, and days and minutes by it. Zones are those of the IANA database. */

/** Offsets change at whole quarters of an hour, all over the world. */
const QUARTER_MS = 900_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

interface KnownOffset {
  readonly quarter: number
  readonly offsetMs: number
}

const formats = new Map<string, Intl.DateTimeFormat>()
/** The last offset asked of each zone: nearly everybody asks about now. */
const lastOffsets = new Map<string, KnownOffset>()

/** Whether there is a zone of this name: `Europe/Berlin`, `UTC`. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** What is to be added to UTC, milliseconds. Throws a RangeError for a zone that is not known. */
export function offsetAt(zone: string, at: number): number {
  if (zone === 'UTC') return 0
  const quarter = Math.floor(at / QUARTER_MS)
  const known = lastOffsets.get(zone)
  if (known?.quarter === quarter) return known.offsetMs
  const offsetMs = readClock(zone, quarter * QUARTER_MS) - quarter * QUARTER_MS
  lastOffsets.set(zone, { quarter, offsetMs })
  return offsetMs
}

/** When the clocks of a zone change behind `from` and not behind `to`, at most a day apart; null when they do not. */
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

/** The day by the clocks of a zone: how many have begun since 1970. */
export function localDay(zone: string, at: number): number {
  return Math.floor((at + offsetAt(zone, at)) / DAY_MS)
}

/** Minutes since midnight by the clocks of a zone, with their fraction. */
export function localMinute(zone: string, at: number): number {
  const local = at + offsetAt(zone, at)
  return (local - Math.floor(local / DAY_MS) * DAY_MS) / MINUTE_MS
}

/** What the clocks of a zone show, as if it were UTC. */
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
  formats.set(zone, format)
  return format
}
