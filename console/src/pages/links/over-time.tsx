/** The clicks of the days, in numbers and over time. */
import { MousePointerClick } from 'lucide-react'
import { useMemo } from 'react'
import { useApi } from '../../api/queries.ts'
import { Stat, Stats } from '../../parts/charts/stat.tsx'
import { type Series, TimeChart } from '../../parts/charts/time-chart.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../parts/page/states.tsx'
import { useFormats } from '../../texts/formats.ts'
import { daysOf, type Time, timeOfLine } from './days.ts'
import { useLinksTexts } from './links-texts.ts'

const EVERY_MS = 15_000

interface OverTimeProps {
  readonly time: Time
  readonly account: number | null
}

const ofAccount = (account: number | null) => (account === null ? {} : { account })

export function Totals({ time, account }: OverTimeProps) {
  const texts = useLinksTexts()
  const formats = useFormats()
  const query = { ...daysOf(time, Date.now()).query, ...ofAccount(account), resolution: 'total', by: 'none' } as const
  const { data, error } = useApi('/statistics', { query }, { every: EVERY_MS })
  if (error !== null) return null
  const total = data?.data[0]
  const draw = (count: number | undefined) =>
    data === undefined ? <Skeleton className="my-1.5 h-7 w-20" /> : formats.compact(count ?? 0)
  const { clicked = 0, delivered = 0 } = total ?? {}
  return (
    <Stats>
      <Stat label={texts.delivered} value={draw(delivered)} note={texts.deliveredNote} />
      <Stat label={texts.clicks} value={draw(total?.clicks)} note={texts.clicksNote} />
      <Stat
        label={texts.clicked}
        value={draw(clicked)}
        note={delivered === 0 ? undefined : texts.clickedNote(formats.percent(Math.min(1, clicked / delivered)))}
      />
      <Stat label={texts.robots} value={draw(total?.robot_clicks)} note={texts.robotsNote} />
    </Stats>
  )
}

export function OverTime({ time, account }: OverTimeProps) {
  const texts = useLinksTexts()
  const formats = useFormats()
  const { query, resolution, times } = daysOf(time, Date.now())
  const found = useApi(
    '/statistics',
    { query: { ...query, ...ofAccount(account), resolution, by: 'none' } },
    { every: EVERY_MS },
  )
  const lines = found.isPlaceholderData ? undefined : found.data?.data
  const [first, slots] = [times[0] ?? 0, times.length]
  // biome-ignore lint/correctness/useExhaustiveDependencies: the times follow from the first of them and their number
  const series: readonly Series[] = useMemo(() => {
    const byTime = new Map((lines ?? []).map((line) => [timeOfLine(line.time ?? ''), line]))
    const values = (key: 'clicks' | 'robot_clicks') => times.map((at) => byTime.get(at)?.[key] ?? 0)
    return [
      { label: texts.byHumans, values: values('clicks') },
      { label: texts.byRobots, values: values('robot_clicks') },
    ]
  }, [lines, first, slots, resolution, texts])
  const per = resolution === 'day' ? texts.perDay : texts.perHour
  return (
    <Card title={texts.overTime} description={per}>
      {lines === undefined ? (
        found.error === null ? (
          <Loading />
        ) : (
          <ErrorState error={found.error} retry={found.refetch} />
        )
      ) : series.every(({ values }) => values.every((value) => value === 0)) ? (
        <EmptyState icon={MousePointerClick} title={texts.none}>
          {texts.noneHint}
        </EmptyState>
      ) : (
        <TimeChart label={`${texts.overTime}, ${per}`} times={times} series={series} format={formats.compact} whole />
      )}
    </Card>
  )
}
