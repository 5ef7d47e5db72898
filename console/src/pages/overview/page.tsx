/** What happens now, and how the traffic of a time range went. */
import { useMay } from '../../api/me.ts'
import { useApi } from '../../api/queries.ts'
import { LinkButton } from '../../parts/button.tsx'
import { useHasPage } from '../../parts/has-page.ts'
import { PageHeader } from '../../parts/page.tsx'
import { Notice } from '../../parts/states.tsx'
import { TimeRangePicker } from '../../parts/time-range.tsx'
import { urlChoice, useUrlState } from '../../parts/url-state.ts'
import { Carriers } from './carriers.tsx'
import { Channels } from './channels.tsx'
import { Hooks } from './hooks.tsx'
import { Live } from './live.tsx'
import { useOverviewTexts } from './overview-texts.ts'
import { Reports } from './reports.tsx'
import { Totals } from './totals.tsx'
import { Traffic } from './traffic.tsx'
import { TRAFFIC_RANGES } from './traffic-range.ts'

const FIELDS = { range: urlChoice(TRAFFIC_RANGES, '24h') }

export function Page() {
  const texts = useOverviewTexts()
  const [{ range }, change] = useUrlState(FIELDS)
  const seesCarriers = useMay()('listCarriers')
  return (
    <>
      <PageHeader
        title={texts.title}
        actions={
          <TimeRangePicker value={range} ranges={TRAFFIC_RANGES} onValue={(chosen) => change({ range: chosen })} />
        }
      />
      <div className="flex flex-col gap-5">
        <OpenAlarms />
        <Hooks />
        {seesCarriers && <Live />}
        <Totals range={range} />
        <Traffic range={range} />
        <div className={seesCarriers ? 'grid gap-5 2xl:grid-cols-2' : ''}>
          <Channels range={range} />
          {seesCarriers && <Carriers />}
        </div>
        <Reports range={range} />
      </div>
    </>
  )
}

const MAX_COUNTED = 100
const EVERY_MS = 15_000

function OpenAlarms() {
  const texts = useOverviewTexts()
  const hasPage = useHasPage()
  const may = useMay()
  const query = { state: 'open', most: MAX_COUNTED } as const
  const { data } = useApi('/alarms', { query }, { every: EVERY_MS, enabled: may('listAlarms') })
  const open = data?.data ?? []
  if (open.length === 0) return null
  const isCritical = open.some(({ severity }) => severity === 'critical')
  return (
    <Notice
      kind={isCritical ? 'bad' : 'warn'}
      action={
        hasPage('/alarms') && (
          <LinkButton size="small" to="/alarms">
            {texts.showAlarms}
          </LinkButton>
        )
      }
    >
      <span className="font-medium">{texts.alarms(open.length)}</span>
      <span className="text-muted"> · {open[0]?.detail}</span>
    </Notice>
  )
}
