/** Reads the statistics of a range, in total and by hour or day. */
import { useMemo } from 'react'
import type { AnswerOf } from '../../api/api.ts'
import { useApi } from '../../api/queries.ts'
import { type Slots, slotsOf, type TrafficRange, timeOfLine } from './traffic-range.ts'

export type Line = AnswerOf<'GET', '/statistics'>['data'][number]

const EVERY_MS = 15_000

/** Of the whole range, in groups such as `channel`; without groups `none`. */
export function useTotals(range: TrafficRange, by: string) {
  const { from, through } = slotsOf(range, Date.now()).query
  return useApi('/statistics', { query: { from, through, resolution: 'total', by } }, { every: EVERY_MS })
}

/** The reports that wait, failed or belong to a stopped hook now; undefined until they are read. */
export function useReportCounts() {
  return useApi('/failed-reports/count', {}, { every: EVERY_MS }).data
}

/** One line for each hour or day, null where nothing was counted. */
export function useSeries(range: TrafficRange) {
  const slots: Slots = slotsOf(range, Date.now())
  const query = useApi('/statistics', { query: { ...slots.query, by: 'none' } }, { every: EVERY_MS })
  const { data } = query
  const { from, through } = slots.query
  // biome-ignore lint/correctness/useExhaustiveDependencies: the slots follow from range, first and last
  const series = useMemo(() => {
    const byTime = new Map((data?.data ?? []).map((line) => [timeOfLine(line.time ?? ''), line]))
    return { times: slots.times, lines: slots.times.map((at) => byTime.get(at) ?? null) }
  }, [data, range, from, through])
  return { ...query, series }
}
