/** Time ranges of the statistics: hours, and days of the user's time zone. */
import type { QueryOf } from '../../api/api.ts'
import type { Range } from '../../parts/list/time-range.tsx'
import { dayIn, daysBefore, daysFrom, startOfDay } from '../../texts/zone.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const TRAFFIC_RANGES = ['24h', '7d', '30d'] as const satisfies readonly Range[]
export type TrafficRange = (typeof TRAFFIC_RANGES)[number]

const LENGTHS: Readonly<Record<TrafficRange, { readonly slot: number; readonly slots: number }>> = {
  '24h': { slot: HOUR_MS, slots: 24 },
  '7d': { slot: HOUR_MS, slots: 168 },
  '30d': { slot: DAY_MS, slots: 30 },
}

export interface Slots {
  /** Starts of the hours or days, milliseconds. */
  readonly times: readonly number[]
  readonly query: Required<Pick<QueryOf<'/statistics'>, 'from' | 'through' | 'resolution' | 'zone'>>
}

/** Returns the hours of a range, or its days in the zone; the last is not over. */
export function slotsOf(range: TrafficRange, zone: string, now: number): Slots {
  const { slot, slots } = LENGTHS[range]
  if (slot === DAY_MS) {
    const through = dayIn(zone, now)
    const from = daysBefore(through, slots - 1)
    const times = daysFrom(from, through).map((day) => startOfDay(zone, day))
    return { times, query: { from, through, resolution: 'day', zone } }
  }
  const last = Math.floor(now / slot) * slot
  const times = Array.from({ length: slots }, (_, index) => last - (slots - 1 - index) * slot)
  const write = (at: number) => new Date(at).toISOString().slice(0, 13)
  return { times, query: { from: write(times[0] ?? last), through: write(last), resolution: 'hour', zone: 'UTC' } }
}

/** Reads the time of a line: `2026-11-30` in the zone, or `2026-11-30T14` in UTC. */
export function timeOfLine(time: string, zone: string): number {
  return time.length > 10 ? Date.parse(`${time}:00:00Z`) : startOfDay(zone, time)
}
