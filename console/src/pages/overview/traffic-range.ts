/** Time ranges of the statistics, which count by hours and days in UTC. */
import type { QueryOf } from '../../api/api.ts'
import type { Range } from '../../parts/list/time-range.tsx'

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
  readonly query: Required<Pick<QueryOf<'/statistics'>, 'from' | 'through' | 'resolution'>>
}

/** Returns the hours or days of a range, the last of which is not over. */
export function slotsOf(range: TrafficRange, now: number): Slots {
  const { slot, slots } = LENGTHS[range]
  const last = Math.floor(now / slot) * slot
  const times = Array.from({ length: slots }, (_, index) => last - (slots - 1 - index) * slot)
  const write = (at: number) => new Date(at).toISOString().slice(0, slot === DAY_MS ? 10 : 13)
  const resolution = slot === DAY_MS ? 'day' : 'hour'
  return { times, query: { from: write(times[0] ?? last), through: write(last), resolution } }
}

/** Reads the time of a line: `2026-11-30` or `2026-11-30T14`. */
export function timeOfLine(time: string): number {
  return Date.parse(time.length > 10 ? `${time}:00:00Z` : `${time}T00:00:00Z`)
}
