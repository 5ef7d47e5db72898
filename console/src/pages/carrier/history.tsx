/** The last thirty days of a carrier: deliveries, times, errors, and how long it was in which state. */
import { History as HistoryIcon } from 'lucide-react'
import { type AnswerOf, api } from '../../api/api.ts'
import { asRows, useApi } from '../../api/queries.ts'
import { TimeChart } from '../../parts/charts/time-chart.tsx'
import { classes } from '../../parts/classes.ts'
import { DownloadButton } from '../../parts/download-button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Num, Percent } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTextsOfCarrier } from './texts.ts'

type Answer = AnswerOf<'GET', '/carriers/{id}/history'>
/** The total has the word for it instead of a day. */
type Day = Answer['data'][number]
type State = keyof Day['states']
const STATES: readonly State[] = ['connected', 'breaker_open', 'draining', 'stopped']
const COLOURS: Readonly<Record<State, string>> = {
  connected: 'bg-good',
  breaker_open: 'bg-warn',
  draining: 'bg-info',
  stopped: 'bg-bad-fill',
}
const EVERY_MS = 60_000

export function History({ carrier: id }: { readonly carrier: string }) {
  const texts = useTextsOfCarrier()
  const formats = useFormats()
  const params = { id }
  const history = useApi('/carriers/{id}/history', { params }, { every: EVERY_MS })
  const days = history.data?.data ?? []
  const times = days.map(({ day }) => Date.parse(day))
  const total = history.data?.total
  const newestFirst = { ...history, data: history.data === undefined ? undefined : { data: days.toReversed() } }
  const read = async () => (await api.get('/carriers/{id}/history/csv', { params: { id } })).csv
  const download = (
    <DownloadButton size="small" file={`carrier-${id}.csv`} read={read}>
      {texts.exportCsv}
    </DownloadButton>
  )
  return (
    <div className="flex flex-col gap-5">
      <div className="grid gap-5 lg:grid-cols-2">
        <Card title={texts.deliveryShare}>
          <TimeChart
            label={texts.deliveryShare}
            times={times}
            series={[{ label: texts.deliveryShare, values: days.map((each) => each.delivered_of_taken) }]}
            format={formats.percent}
            height={160}
            bare
          />
        </Card>
        <Card title={texts.deliveryTimes}>
          <TimeChart
            label={texts.deliveryTimes}
            times={times}
            series={[
              { label: texts.median, values: days.map((each) => each.p50_seconds) },
              { label: texts.slowest, values: days.map((each) => each.p95_seconds) },
            ]}
            format={formats.estimate}
            formatAxis={formats.duration}
            height={160}
            bare
          />
        </Card>
      </div>
      <Card
        title={texts.days}
        description={total && `${texts.downInAll(formats.span(total.down_seconds))} ${texts.daysHint}`}
        flush
        actions={download}
      >
        <DataTable
          caption={texts.days}
          columns={useColumns()}
          list={asRows(newestFirst)}
          rowKey={({ day }) => day}
          total={total && { day: texts.total, ...total }}
          empty={<EmptyState icon={HistoryIcon} title={texts.days} />}
        />
      </Card>
    </div>
  )
}

function useColumns(): readonly Column<Day>[] {
  const texts = useTextsOfCarrier()
  const formats = useFormats()
  const seconds = (value: number | null) => (value === null ? '–' : formats.estimate(value))
  return [
    { key: 'day', label: texts.day, cell: ({ day }) => <span className="whitespace-nowrap">{day}</span> },
    { key: 'taken', label: texts.takenByDay, align: 'right', cell: ({ taken }) => <Num value={taken} /> },
    {
      key: 'share',
      label: texts.deliveryShare,
      align: 'right',
      cell: ({ delivered_of_taken: share }) => <Percent share={share} />,
    },
    {
      key: 'times',
      label: `${texts.median} / ${texts.slowest}`,
      belowOnPhone: true,
      align: 'right',
      cell: ({ p50_seconds, p95_seconds }) => (
        <span className="whitespace-nowrap">
          {seconds(p50_seconds)} / {seconds(p95_seconds)}
        </span>
      ),
    },
    {
      key: 'errors',
      label: texts.errorsByDay,
      belowOnPhone: true,
      hideOn: 'tablet',
      wraps: true,
      cell: ({ errors }) =>
        errors.length === 0
          ? '–'
          : errors.map(({ status, messages }) => `${status} ${formats.number(messages)}`).join(', '),
    },
    {
      key: 'down',
      label: texts.down,
      align: 'right',
      cell: ({ down_seconds: down, states }) => (
        <span className={classes('whitespace-nowrap', down > 0 ? 'text-bad' : 'text-muted')}>
          {isObserved(states) ? formats.span(down) : '–'}
        </span>
      ),
    },
    { key: 'states', label: texts.states, belowOnPhone: true, cell: ({ states }) => <Band states={states} /> },
  ]
}

function isObserved(states: Day['states']): boolean {
  return STATES.some((state) => states[state] > 0)
}

/** The colours only help: the text has each time. */
function Band({ states }: { readonly states: Day['states'] }) {
  const texts = useTextsOfCarrier()
  const formats = useFormats()
  if (!isObserved(states)) return <span className="text-muted">{texts.notObserved}</span>
  const known = STATES.reduce((sum, state) => sum + states[state], 0)
  const seen = STATES.filter((state) => states[state] > 0)
  return (
    <div className="min-w-32">
      <div aria-hidden className="flex h-2 overflow-hidden rounded-full bg-sunken">
        {seen.map((state) => (
          <span
            key={state}
            className={classes('h-full', COLOURS[state])}
            style={{ width: `${(states[state] / known) * 100}%` }}
          />
        ))}
      </div>
      <p className="mt-1 text-sm text-muted">
        {seen.map((state) => `${texts.stateNames[state]} ${formats.span(states[state])}`).join(', ')}
      </p>
    </div>
  )
}
