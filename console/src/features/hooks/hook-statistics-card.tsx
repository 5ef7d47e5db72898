/** How many reports each hook of an account took, and how fast, in some days (UTC). */
import { ChartColumn } from 'lucide-react'
import { type AnswerOf, api } from '../../api/api.ts'
import { usePagesOf } from '../../api/queries.ts'
import { Select } from '../../parts/form/select.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { urlChoice, useUrlState } from '../../parts/list/url-state.ts'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Num } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useHookTexts } from './hook-texts.ts'

type Line = AnswerOf<'GET', '/accounts/{account}/hook-statistics'>['data'][number]
const DAYS = { today: 1, '7d': 7, '30d': 30 } as const
const TIMES = ['today', '7d', '30d'] as const
const FIELDS = { days: urlChoice(TIMES, 'today') }
const DAY_MS = 86_400_000
const EVERY_MS = 15_000

export function HookStatisticsCard({ account }: { readonly account: number }) {
  const texts = useHookTexts()
  const [{ days }, change] = useUrlState(FIELDS)
  const range = { from: dayBefore(DAYS[days] - 1), through: dayBefore(0) }
  const input = { params: { account }, query: { ...range, resolution: 'total' as const } }
  const list = usePagesOf<Line>(
    ['/accounts/{account}/hook-statistics', input],
    async (_, signal) => ({
      ...(await api.get('/accounts/{account}/hook-statistics', { ...input, signal })),
      next: null,
    }),
    { every: EVERY_MS },
  )
  return (
    <Card
      flush
      title={texts.statistics}
      description={texts.statisticsHint}
      actions={
        <Select
          label={texts.statisticsDays}
          value={days}
          choices={TIMES.map((value) => ({ value, label: texts.days[value] }))}
          onValue={(value) => change({ days: value })}
        />
      }
    >
      <DataTable
        caption={texts.statistics}
        columns={useColumns()}
        list={list}
        rowKey={({ address }) => address}
        empty={<EmptyState icon={ChartColumn} title={texts.noStatistics} />}
      />
    </Card>
  )
}

function useColumns(): readonly Column<Line>[] {
  const texts = useHookTexts()
  const formats = useFormats()
  const time = (ms: number | null) => (ms === null ? '–' : formats.estimate(ms / 1_000))
  return [
    {
      key: 'address',
      label: texts.address,
      wraps: true,
      cell: ({ address }) => <span className="font-medium">{address}</span>,
    },
    { key: 'sent', label: texts.accepted, align: 'right', cell: ({ sent }) => <Num value={sent} /> },
    {
      key: 'failed-tries',
      label: texts.failedTries,
      align: 'right',
      belowOnPhone: true,
      cell: ({ failed_tries: failed }) => <Num value={failed} />,
    },
    {
      key: 'given-up',
      label: texts.givenUp,
      align: 'right',
      belowOnPhone: true,
      cell: ({ given_up: given }) => <Num value={given} />,
    },
    { key: 'p50', label: texts.half, align: 'right', belowOnPhone: true, cell: ({ p50_ms: ms }) => time(ms) },
    { key: 'p95', label: texts.tail, align: 'right', belowOnPhone: true, cell: ({ p95_ms: ms }) => time(ms) },
  ]
}

/** Returns a day before today, UTC: `2026-11-30`. */
function dayBefore(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
}
