/** Calendar months of a time zone, and the quarters of an hour by which they differ from months of UTC. */
import { fromLocal, offsetAt } from './local-time.ts'
import { beginningOf, type Month, monthAfter, monthOf } from './month.ts'

declare const quarter: unique symbol

/** Quarters of an hour since 1970: months of all zones begin with one. Larger than any Month. */
export type Quarter = number & { readonly [quarter]: true }

export interface ZonedMonth {
  readonly month: Month
  readonly zone: string
  /** First moment, and first moment after it, milliseconds. */
  readonly from: number
  readonly until: number
}

/** How long before UTC the first zone begins a month, and how long after it the last one. */
const FIRST_ZONE_MS = 14 * 3_600_000
export const LAST_ZONE_MS = 12 * 3_600_000
const QUARTER_MS = 900_000
/** July 1998: earlier ones are not larger than a Month. */
const FIRST_QUARTER = 1_000_000

/** Consecutive months of a zone join without a gap. Throws a RangeError for an unknown zone. */
export function zonedMonth(month: Month, zone: string): ZonedMonth {
  const from = fromLocal(zone, beginningOf(month))
  return { month, zone, from, until: fromLocal(zone, beginningOf(monthAfter(month))) }
}

/** Returns the month of a time in a zone. */
export function monthIn(zone: string, at: number): Month {
  return monthOf(at + offsetAt(zone, at))
}

export function isQuarter(period: Month | Quarter): period is Quarter {
  return period >= FIRST_QUARTER
}

export function quarterOf(at: number): Quarter {
  return Math.floor(at / QUARTER_MS) as Quarter
}

export function beginningOfQuarter(of: Quarter): number {
  return of * QUARTER_MS
}

export interface Edges {
  /** Its end and beginning: times in the month from `until` on or before `from` may be of another month in a zone. */
  readonly from: number
  readonly until: number
}

/** Returns the middle of a month, which is in the same month in every zone. */
export function middleOf(month: Month): Edges {
  return { from: beginningOf(month) + LAST_ZONE_MS, until: beginningOf(monthAfter(month)) - FIRST_ZONE_MS }
}

/** Returns the quarter of a time that is not in the middle of its month; null for one that is. */
export function edgeQuarter(at: number, middle: Edges): Quarter | null {
  if (at >= middle.from && at < middle.until) return null
  const of = quarterOf(at)
  return isQuarter(of) ? of : null
}

/** Returns the first month of which every zone has its edges, if quarters are known from this time on. */
export function firstZonedMonth(quartersFrom: number): Month {
  const month = monthOf(quartersFrom + FIRST_ZONE_MS)
  return beginningOf(month) < quartersFrom + FIRST_ZONE_MS ? monthAfter(month) : month
}
