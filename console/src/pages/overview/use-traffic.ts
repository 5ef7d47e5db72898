/** Reads the statistics of a range, in total and by hour or day. */
import { useMemo } from 'react'
import type { AnswerOf } from '../../api/api.ts'
import { useApi } from '../../api/queries.ts'
import { useZone } from '../../texts/language.ts'
import { type Slots, slotsOf, type TrafficRange, timeOfLine } from './traffic-range.ts'

export type Line = AnswerOf<'GET', '/statistics'>['data'][number]

const EVERY_MS = 15_000
/** Days of a zone are summed up from hours. */
const EVERY_OF_DAYS_MS = 60_000

/** Of the whole range, in groups such as `channel`; without groups `none`. */
export function useTotals(range: TrafficRange, by: string) {
  const { query } = slotsOf(range, useZone(), Date.now())
  return useApi('/statistics', { query: { ...query, resolution: 'total', by } }, { every: everyOf(query) })
}

/** The reports that wait, failed or belong to a stopped hook now; undefined until they are read. */
export function useReportCounts() {
  return useApi('/failed-reports/count', {}, { every: EVERY_MS }).data
}

/** One line for each hour or day, null where nothing was counted. */
export function useSeries(range: TrafficRange) {
  const zone = useZone()
  const slots: Slots = slotsOf(range, zone, Date.now())
  const query = useApi('/statistics', { query: { ...slots.query, by: 'none' } }, { every: everyOf(slots.query) })
  const { data } = query
  const { from, through } = slots.query
  // biome-ignore lint/correctness/useExhaustiveDependencies: the slots follow from range, first and last
  const series = useMemo(() => {
    const byTime = new Map((data?.data ?? []).map((line) => [timeOfLine(line.time ?? '', zone), line]))
    return { times: slots.times, lines: slots.times.map((at) => byTime.get(at) ?? null) }
  }, [data, range, zone, from, through])
  return { ...query, series }
}

function everyOf({ resolution }: Slots['query']): number {
  return resolution === 'day' ? EVERY_OF_DAYS_MS : EVERY_MS
}
