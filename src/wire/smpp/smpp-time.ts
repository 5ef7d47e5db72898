/** Times of SMPP (SMPP 3.4, 7.1.1): absolute with a time zone, or relative to now (validity-period.ts). */
import { readValidityPeriod } from './validity-period.ts'

const ABSOLUTE = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d)(\d\d)([+-])$/
const QUARTER_MS = 900_000
/** The largest offset of a time zone in the format. */
const MAX_QUARTERS = 48

/** Returns milliseconds since 1970; null for anything but the two formats, and for dates that do not exist. */
export function readSmppTime(text: string, now: number): number | null {
  const relative = readValidityPeriod(text)
  if (relative !== null) return now + relative * 1_000
  const [matched, ...fields] = ABSOLUTE.exec(text) ?? []
  if (matched === undefined) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, tenth = 0, quarters = 0] = fields.map(Number)
  const local = Date.UTC(2000 + year, month - 1, day, hour, minute, second, tenth * 100)
  const isDate = new Date(local)
    .toISOString()
    .startsWith(`20${matched.slice(0, 2)}-${matched.slice(2, 4)}-${matched.slice(4, 6)}T`)
  if (!isDate || hour > 23 || minute > 59 || second > 59 || quarters > MAX_QUARTERS) return null
  return local - (fields[8] === '+' ? 1 : -1) * quarters * QUARTER_MS
}

/** Returns the absolute format, UTC. */
export function writeSmppTime(at: number): string {
  const [date = '', fraction = '0'] = new Date(at)
    .toISOString()
    .slice(2)
    .replaceAll(/[-T:Z]/g, '')
    .split('.')
  return `${date}${fraction.slice(0, 1)}00+`
}
