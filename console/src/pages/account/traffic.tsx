/** The traffic of an account by day, from the statistics. */

import { useApi } from '../../api/queries.ts'
import { Stat, Stats } from '../../parts/charts/stat.tsx'
import { TimeChart } from '../../parts/charts/time-chart.tsx'
import { type Range, rangeMs, TimeRangePicker, urlRange } from '../../parts/list/time-range.tsx'
import { useUrlState } from '../../parts/list/url-state.ts'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/page/states.tsx'
import { Num, Percent } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useZone } from '../../texts/language.ts'
import { dayIn, daysBefore, daysFrom, startOfDay } from '../../texts/zone.ts'
import { useAccountPageTexts } from './account-texts.ts'

const EVERY_MS = 30_000
const DAY_MS = 86_400_000
const RANGES = ['7d', '30d'] as const satisfies readonly Range[]
const FIELDS = { range: urlRange('7d') }

export function Traffic({ account }: { readonly account: number }) {
  const texts = useAccountPageTexts()
  const [{ range }, change] = useUrlState(FIELDS)
  const zone = useZone()
  const days = daysOf(range, zone)
  const asked = { account, from: days[0], through: days.at(-1), zone, by: 'none' }
  const byDay = useApi('/statistics', { query: { ...asked, resolution: 'day' } }, { every: EVERY_MS })
  const total = useApi('/statistics', { query: asked }, { every: EVERY_MS })
  const picker = <TimeRangePicker value={range} ranges={RANGES} onValue={(value) => change({ range: value })} />
  return (
    <Card title={texts.traffic} actions={picker}>
      {byDay.error !== null ? (
        <ErrorState error={byDay.error} retry={() => void byDay.refetch()} />
      ) : byDay.data === undefined ? (
        <Loading />
      ) : byDay.data.data.length === 0 ? (
        <EmptyState title={texts.noTraffic} />
      ) : (
        <div className="flex flex-col gap-5">
          <Totals line={total.data?.data[0]} />
          <Chart days={days} lines={byDay.data.data} />
        </div>
      )}
    </Card>
  )
}

interface Line {
  readonly time: string | null
  readonly asked: number
  readonly delivered: number
  readonly failed: number
  readonly delivered_of_asked: number | null
  readonly p95_seconds: number | null
}

function Totals({ line }: { readonly line: Line | undefined }) {
  const texts = useAccountPageTexts()
  const formats = useFormats()
  const p95 = line?.p95_seconds ?? null
  return (
    <Stats>
      <Stat label={texts.asked} value={<Num value={line?.asked} />} />
      <Stat label={texts.delivered} value={<Num value={line?.delivered} />} />
      <Stat label={texts.share} value={<Percent share={line?.delivered_of_asked} />} />
      <Stat label={texts.p95} value={p95 === null ? '–' : formats.estimate(p95)} />
    </Stats>
  )
}

function Chart({ days, lines }: { readonly days: readonly string[]; readonly lines: readonly Line[] }) {
  const texts = useAccountPageTexts()
  const zone = useZone()
  const found = new Map(lines.map((line) => [line.time, line]))
  return (
    <TimeChart
      label={texts.trafficLabel}
      times={days.map((day) => startOfDay(zone, day))}
      daily
      series={[
        { label: texts.asked, values: days.map((day) => found.get(day)?.asked ?? 0) },
        { label: texts.delivered, values: days.map((day) => found.get(day)?.delivered ?? 0) },
      ]}
      whole
    />
  )
}

/** Returns the days of a range up to today. */
function daysOf(range: Range, zone: string): readonly string[] {
  const count = Math.max(1, Math.round(rangeMs(range) / DAY_MS))
  const today = dayIn(zone, Date.now())
  return daysFrom(daysBefore(today, count - 1), today)
}
