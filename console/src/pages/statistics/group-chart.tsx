/** The figure that the table is sorted by, over time: the first groups, and all others. */
import { useMemo } from 'react'
import { useApi } from '../../api/queries.ts'
import { useAccountLabels } from '../../features/accounts/account-name.tsx'
import { type Series, TimeChart } from '../../parts/charts/time-chart.tsx'
import { Card } from '../../parts/page/page.tsx'
import { Skeleton } from '../../parts/page/states.tsx'
import { useFormats } from '../../texts/formats.ts'
import type { Formats } from '../../texts/make-formats.ts'
import { daysBefore, daysFrom, startOfDay } from '../../texts/zone.ts'
import { useGroupText } from './group-text.ts'
import {
  type Days,
  filtersOf,
  type Group,
  groupingOf,
  groupOf,
  type Line,
  messagesOf,
  orderOf,
  type Selection,
} from './query.ts'
import { useStatisticsTexts } from './statistics-texts.ts'
import { everyOf, type Sorted } from './use-statistics.ts'

/** Groups with a line of their own. */
const TOP = 8
const HOUR_MS = 3_600_000
const HEIGHT = 180
/** Up to so many days are drawn by hour. */
const HOURLY_DAYS = 2

interface GroupChartProps {
  readonly selection: Selection
  readonly days: Days
  readonly sorting: Sorted
}

export function GroupChart({ selection, days, sorting }: GroupChartProps) {
  const texts = useStatisticsTexts()
  const formats = useFormats()
  const { by } = selection
  // A status has no requested messages: it has those that reached it.
  const isOfStatus = by === 'status' && sorting.by === 'group'
  const sort = sorting.by === 'group' ? 'asked' : sorting.by
  const title = isOfStatus ? texts.chartMessages : texts[sort]
  const figure = orderOf(sort, selection) ?? 'asked'
  const isHourly = daysFrom(days.from, days.through).length <= HOURLY_DAYS
  const resolution = isHourly ? 'hour' : 'day'
  const direction = sorting.by === 'group' || sorting.descending ? 'descending' : 'ascending'
  const query = {
    ...filtersOf(selection, days),
    by: groupingOf(by).by,
    resolution,
    top: TOP,
    order: figure,
    direction,
  } as const
  const { data, isPlaceholderData, error } = useApi('/statistics', { query }, { every: everyOf(days) })
  const { from, through, zone } = days
  const times = useMemo(() => timesOf({ from, through, zone }, isHourly), [from, through, zone, isHourly])
  const lines = isPlaceholderData ? undefined : data?.data
  const groups = useMemo(
    () => groupsOf(lines ?? [], { by, times, figureOf: isOfStatus ? messagesOf : (line) => line[figure], figure }),
    [lines, by, times, isOfStatus, figure],
  )
  const names = useNames(by, groups, title)
  const series = useMemo(
    () =>
      groups.map(({ line, values }, index) => ({ label: names[index] ?? '', values, isRest: line.others !== null })),
    [groups, names],
  )
  const starts = useMemo(() => times.map(({ at }) => at), [times])
  if (error !== null || lines?.length === 0) return null
  const label = by === 'day' ? texts.chartOfDays(title) : texts.chart(title, texts[by])
  const currency = lines?.find((line) => line.currency !== null)?.currency ?? ''
  const write = (value: number) => writeFigure(formats, figure, { value, currency })
  return (
    <Card title={label}>
      {lines === undefined ? (
        <Skeleton className="h-45 w-full" />
      ) : (
        <TimeChart
          {...{ label, series, times: starts, format: write }}
          height={HEIGHT}
          whole={isCount(figure)}
          daily={!isHourly}
        />
      )}
    </Card>
  )
}

/** Returns the names of the groups, in their order. They change when names of accounts are read. */
function useNames(by: Group, groups: readonly GroupValues[], days: string): readonly string[] {
  const texts = useStatisticsTexts()
  const groupText = useGroupText(by)
  const accountLabel = useAccountLabels(groups.flatMap(({ line }) => line.account ?? []))
  const nameOf = (line: Line) => {
    if (line.others !== null) return texts.otherGroups
    if (by === 'day') return days
    return line.account === null ? groupText(line) : accountLabel(line.account)
  }
  const key = groups.map(({ line }) => nameOf(line)).join('\n')
  return useMemo(() => key.split('\n'), [key])
}

type Figure = NonNullable<ReturnType<typeof orderOf>>

function isCount(figure: Figure): boolean {
  return ['asked', 'taken', 'delivered', 'read', 'failed'].includes(figure)
}

function writeFigure(formats: Formats, figure: Figure, { value, currency }: { value: number; currency: string }) {
  if (figure.startsWith('delivered_of')) return formats.percent(value)
  if (figure.endsWith('_seconds')) return formats.duration(value)
  return isCount(figure) ? formats.number(value) : formats.money(value, currency)
}

interface Time {
  /** As lines have it: a day of the zone, or an hour of UTC. */
  readonly time: string
  readonly at: number
}

/** Returns the days, or the hours up to now. */
function timesOf({ from, through, zone }: Days, isHourly: boolean): readonly Time[] {
  if (!isHourly) return daysFrom(from, through).map((time) => ({ time, at: startOfDay(zone, time) }))
  const first = Math.ceil(startOfDay(zone, from) / HOUR_MS)
  const end = Math.ceil(startOfDay(zone, daysBefore(through, -1)) / HOUR_MS)
  const last = Math.min(Math.floor(Date.now() / HOUR_MS), end - 1)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const at = (first + index) * HOUR_MS
    return { time: new Date(at).toISOString().slice(0, 13), at }
  })
}

interface GroupValues {
  /** One of its lines, for its name. */
  readonly line: Line
  readonly values: Series['values']
}

interface ValuesInput {
  readonly by: Group
  readonly times: readonly Time[]
  readonly figure: Figure
  readonly figureOf: (line: Line) => number | null
}

/** An hour without messages has 0 of a count, and neither a share nor a time. */
function groupsOf(lines: readonly Line[], { by, times, figure, figureOf }: ValuesInput): readonly GroupValues[] {
  const groups = Map.groupBy(lines, (line) => `${line.others !== null} ${by === 'day' ? '' : groupOf(line, by)}`)
  const drawn = [...groups.values()].flatMap((ofGroup) => {
    const [line] = ofGroup
    const values = new Map(ofGroup.map((each) => [each.time, figureOf(each)]))
    const isEmpty = [...values.values()].every((value) => value === null || value === 0)
    if (line === undefined || isEmpty) return []
    return [{ line, values: times.map(({ time }) => values.get(time) ?? (isCount(figure) ? 0 : null)) }]
  })
  const isRest = ({ line }: GroupValues) => line.others !== null
  return [...drawn.filter((each) => !isRest(each)).slice(0, TOP), ...drawn.filter(isRest)]
}
