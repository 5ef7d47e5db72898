/** How far a bulk is: its lines by what became of them, its messages by status, and how long the rest takes. */
import { StatusBadge } from '../../parts/badge.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { type BarPart, StackedBar } from '../../parts/charts/stacked-bar.tsx'
import { Card } from '../../parts/page/page.tsx'
import { Num } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import type { Bulk } from './bulk.ts'
import { useBulkPageTexts } from './bulk-page-texts.ts'
import { ReportButton } from './report-button.tsx'

const DELIVERED = ['DELIVERED', 'READ']
const OPEN = ['QUEUED', 'ACCEPTED']

interface Count {
  readonly status: string
  readonly count: number
}

export function ProgressCard({ bulk }: { readonly bulk: Bulk }) {
  const texts = useBulkPageTexts()
  const { account, accepted } = bulk
  const counts = countsOf(bulk)
  const search = { bulk: String(bulk.bulk), account: String(account) }
  const actions = accepted > 0 && (
    <>
      <LinkButton to="/messages" search={search} size="small">
        {texts.showMessages}
      </LinkButton>
      <ReportButton bulk={bulk} />
    </>
  )
  return (
    <Card title={texts.progress} actions={actions}>
      <div className="flex flex-col gap-4">
        <StackedBar label={texts.progress} parts={partsOf(bulk, counts, texts)} />
        <Pace bulk={bulk} />
        <h3 className="text-sm font-medium">{texts.messages}</h3>
        {counts.length === 0 ? (
          <p className="text-muted">{texts.noMessages}</p>
        ) : (
          <ul className="flex flex-wrap gap-x-5 gap-y-2">
            {counts.map(({ status, count }) => (
              <li key={status} className="flex items-center gap-2">
                <StatusBadge status={status} /> <Num value={count} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}

/** While it sends: how fast, and how long the lines that wait take at most of that. */
function Pace({ bulk: { state, pace, waiting } }: { readonly bulk: Bulk }) {
  const texts = useBulkPageTexts()
  const formats = useFormats()
  if (state !== 'running' || waiting === 0) return null
  return <p className="text-sm text-muted">{texts.timeLeft(formats.number(pace), formats.estimate(waiting / pace))}</p>
}

/** Of `41 DELIVERED, 2 EXPIRED`. */
function countsOf({ messages }: Bulk): readonly Count[] {
  return messages === ''
    ? []
    : messages.split(', ').map((text) => {
        const place = text.indexOf(' ')
        return { count: Number(text.slice(0, place)), status: text.slice(place + 1) }
      })
}

/** Of all lines but those that were dropped as duplicates. */
function partsOf(
  { state, waiting, refused }: Bulk,
  counts: readonly Count[],
  texts: ReturnType<typeof useBulkPageTexts>,
): readonly BarPart[] {
  const sum = (isCounted: (status: string) => boolean) =>
    counts.reduce((total, { status, count }) => total + (isCounted(status) ? count : 0), 0)
  const delivered = sum((status) => DELIVERED.includes(status))
  const open = sum((status) => OPEN.includes(status))
  return [
    { label: texts.delivered, count: delivered, tone: 'good' },
    { label: texts.underWay, count: open, tone: 'info' },
    { label: texts.notDelivered, count: sum(() => true) - delivered - open, tone: 'bad' },
    { label: state === 'stopped' ? texts.notSent : texts.waiting, count: waiting, tone: 'plain' },
    { label: texts.refused, count: refused, tone: 'warn' },
  ]
}
