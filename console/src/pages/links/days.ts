/** The days that the page covers, UTC, and the hours or days of its chart. */
import type { QueryOf } from '../../api/api.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const TIMES = ['today', 'yesterday', '7d', '30d'] as const
export type Time = (typeof TIMES)[number]

const LENGTHS: Readonly<Record<Time, { readonly days: number; readonly before: number; readonly slot: number }>> = {
  today: { days: 1, before: 0, slot: HOUR_MS },
  yesterday: { days: 1, before: 1, slot: HOUR_MS },
  '7d': { days: 7, before: 0, slot: HOUR_MS },
  '30d': { days: 30, before: 0, slot: DAY_MS },
}

export interface Days {
  readonly query: Required<Pick<QueryOf<'/clicks'>, 'from' | 'through'>>
  readonly resolution: 'hour' | 'day'
  /** Starts of the hours or days that have begun, milliseconds. */
  readonly times: readonly number[]
}

export function daysOf(time: Time, now: number): Days {
  const { days, before, slot } = LENGTHS[time]
  const end = Math.floor(now / DAY_MS) * DAY_MS + (1 - before) * DAY_MS
  const first = end - days * DAY_MS
  const slots = Math.ceil((Math.min(end, now + 1) - first) / slot)
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  return {
    query: { from: day(first), through: day(end - DAY_MS) },
    resolution: slot === DAY_MS ? 'day' : 'hour',
    times: Array.from({ length: slots }, (_, index) => first + index * slot),
  }
}

/** Reads the time of a line: `2026-11-30` or `2026-11-30T14`. */
export function timeOfLine(time: string): number {
  return Date.parse(time.length > 10 ? `${time}:00:00Z` : `${time}T00:00:00Z`)
}
