/** What passes through this gateway at this moment. */
import { type LiveSnapshot, useLive } from '../../api/live.ts'
import { Sparkline } from '../../parts/charts/sparkline.tsx'
import { Card } from '../../parts/page/page.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useOverviewTexts } from './overview-texts.ts'
import { useReportCounts } from './use-traffic.ts'

const RATES = ['accepted', 'submitted', 'delivered', 'failed'] as const
type Rate = (typeof RATES)[number]

export function Live() {
  const texts = useOverviewTexts()
  const formats = useFormats()
  const snapshots = useLive()
  const now = snapshots.at(-1)
  const reports = useReportCounts()
  const names: Readonly<Record<Rate, string>> = {
    accepted: texts.liveAccepted,
    submitted: texts.liveSubmitted,
    delivered: texts.liveDelivered,
    failed: texts.liveFailed,
  }
  const node = now?.node === null || now === undefined ? texts.thisGateway : `node ${now.node}`
  const count = (value: number | null | undefined) => (typeof value === 'number' ? formats.compact(value) : '–')
  return (
    <Card title={texts.live} description={texts.liveHint(node)}>
      {typeof now?.not_ready === 'string' && (
        <div className="mb-4">
          <Notice kind="bad">{texts.notReady(now.not_ready)}</Notice>
        </div>
      )}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-6">
        {RATES.map((rate) => (
          <Figure key={rate} label={names[rate]} value={count(sumOf(now, rate))}>
            <Sparkline values={snapshots.map((each) => sumOf(each, rate) ?? 0)} className="h-6 w-full" />
          </Figure>
        ))}
        <Figure label={texts.liveOpen} value={count(now?.messages.open)} />
        <Figure label={texts.liveReports} value={count(reports?.waiting)} />
      </dl>
    </Card>
  )
}

interface FigureProps {
  readonly label: string
  readonly value: string
  readonly children?: React.ReactNode
}

function Figure({ label, value, children }: FigureProps) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="hyphens-auto text-sm text-muted [overflow-wrap:anywhere]">{label}</dt>
      <dd className="text-lg font-semibold tabular-nums">{value}</dd>
      {children !== undefined && <dd>{children}</dd>}
    </div>
  )
}

/** Over all channels; null before the first rates. */
function sumOf(snapshot: LiveSnapshot | undefined, rate: Rate): number | null {
  return snapshot?.channels?.reduce((sum, channel) => sum + channel[rate], 0) ?? null
}
