/** What happens now, and how the traffic of a time range went. */
import { useMay, useMe } from '../../api/me.ts'
import { InstallationChecklist } from '../../features/checklist/installation-checklist.tsx'
import { TimeRangePicker } from '../../parts/list/time-range.tsx'
import { urlChoice, useUrlState } from '../../parts/list/url-state.ts'
import { PageHeader } from '../../parts/page/page.tsx'
import { OpenAlarms } from './alarms.tsx'
import { Balance } from './balance.tsx'
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
  const account = useMe()?.account ?? null
  return (
    <>
      <PageHeader
        title={texts.title}
        actions={
          <TimeRangePicker value={range} ranges={TRAFFIC_RANGES} onValue={(chosen) => change({ range: chosen })} />
        }
      />
      <div className="flex flex-col gap-5">
        {account === null ? <InstallationChecklist /> : <Balance account={account} />}
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
