/** Reports to clients' hooks: of the range, and what waits now. */
import { Card } from '../../parts/page/page.tsx'
import { Num } from '../../parts/values.tsx'
import { useOverviewTexts } from './overview-texts.ts'
import type { TrafficRange } from './traffic-range.ts'
import { useReportCounts, useTotals } from './use-traffic.ts'

export function Reports({ range }: { readonly range: TrafficRange }) {
  const texts = useOverviewTexts()
  const total = useTotals(range, 'none').data?.data[0]
  const now = useReportCounts()
  const items = [
    { label: texts.reportsSent, value: total?.reports_sent ?? 0 },
    { label: texts.reportsFailed, value: total?.reports_failed ?? 0 },
    { label: texts.reportsWaiting, value: now?.waiting },
    { label: texts.reportsToResend, value: now?.failed },
    { label: texts.reportsStopped, value: now?.stopped },
  ]
  return (
    <Card title={texts.reports}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-5">
        {items.map(({ label, value }) => (
          <div key={label} className="flex flex-col">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="text-lg font-semibold">
              <Num value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
