/** Times of Jasmin's requests: `sdt` in the format of SMPP (3.4, 7.1.1), and `schedule_at` of a batch. */
import { readTimeIn } from '../../domain/time/read-time.ts'

const SMPP_TIME = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d(\d\d)([-+R])$/
const QUARTER_MINUTES = 15
const MAX_QUARTERS = 48
/** Of relative times, whose years and months have no length of their own. */
const YEAR_DAYS = 365
const MONTH_DAYS = 30
const DAY_SECONDS = 86_400

/** Returns milliseconds since 1970; null for a time that does not exist. */
export function readScheduledTime(text: string, now: number): number | null {
  const [matched, year, month, day, hour, minute, second, quarters, sign] = SMPP_TIME.exec(text) ?? []
  if (matched === undefined) return null
  if (sign === 'R') {
    const days = Number(year) * YEAR_DAYS + Number(month) * MONTH_DAYS + Number(day)
    const seconds = days * DAY_SECONDS + (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
    return now + seconds * 1000
  }
  if (Number(quarters) > MAX_QUARTERS) return null
  const local = readTimeIn('UTC', `20${year}-${month}-${day}T${hour}:${minute}:${second}`)
  if (local === null) return null
  return local - Number(`${sign}1`) * Number(quarters) * QUARTER_MINUTES * 60_000
}

/** Returns in how many seconds a batch is sent; null for another text. */
export function readCountdown(text: string, zone: string, now: number): number | null {
  const [, seconds] = /^(\d{1,9})s$/.exec(text) ?? []
  if (seconds !== undefined) return Number(seconds)
  const at = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? readTimeIn(zone, text) : null
  return at === null ? null : (at - now) / 1000
}
