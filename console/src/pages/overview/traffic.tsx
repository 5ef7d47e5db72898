/** Messages and time to delivery over time. */
import { BarChart3 } from 'lucide-react'
import { useMemo } from 'react'
import { type Series, TimeChart } from '../../parts/charts/time-chart.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/page/states.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useOverviewTexts } from './overview-texts.ts'
import type { TrafficRange } from './traffic-range.ts'
import { useSeries } from './use-traffic.ts'

export function Traffic({ range }: { readonly range: TrafficRange }) {
  const texts = useOverviewTexts()
  const formats = useFormats()
  const { data, error, refetch, series } = useSeries(range)
  const { times, lines } = series
  const counts: readonly Series[] = useMemo(
    () => [
      { label: texts.asked, values: lines.map((line) => line?.asked ?? 0) },
      { label: texts.delivered, values: lines.map((line) => line?.delivered ?? 0) },
      { label: texts.failed, values: lines.map((line) => line?.failed ?? 0) },
    ],
    [lines, texts],
  )
  const seconds: readonly Series[] = useMemo(
    () => [
      { label: texts.latencyMedian, values: lines.map((line) => line?.p50_seconds ?? null) },
      { label: texts.latencyTail, values: lines.map((line) => line?.p95_seconds ?? null) },
    ],
    [lines, texts],
  )
  const per = range === '30d' ? texts.perDay : texts.perHour
  if (data === undefined) {
    return (
      <Card title={texts.traffic}>{error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />}</Card>
    )
  }
  if (lines.every((line) => line === null)) {
    return (
      <Card title={texts.traffic}>
        <EmptyState icon={BarChart3} title={texts.noTraffic}>
          {texts.noTrafficHint}
        </EmptyState>
      </Card>
    )
  }
  return (
    <div className="grid gap-5 xl:grid-cols-2">
      <Card title={texts.traffic} description={per}>
        <TimeChart label={`${texts.traffic}, ${per}`} times={times} series={counts} format={formats.compact} whole />
      </Card>
      <Card title={texts.latency} description={per}>
        <TimeChart
          label={`${texts.latency}, ${per}`}
          times={times}
          series={seconds}
          format={formats.estimate}
          formatAxis={formats.duration}
        />
      </Card>
    </div>
  )
}
