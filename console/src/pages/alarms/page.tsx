/** Alarms of all kinds, unusual traffic, and who is notified. */
import { useMay } from '../../api/me.ts'
import { PageHeader } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { urlChoice, useUrlState } from '../../parts/url-state.ts'
import { AlarmList } from './alarm-list.tsx'
import { Targets } from './targets.tsx'
import { useAlarmTexts } from './texts.ts'
import { TrafficAlarms } from './traffic-alarms.tsx'

const TABS = ['alarms', 'traffic', 'targets'] as const
const STATE = { tab: urlChoice(TABS, 'alarms') }

export function Page() {
  const texts = useAlarmTexts()
  const may = useMay()
  const [{ tab }, change] = useUrlState(STATE)
  const contents = { alarms: () => <AlarmList />, traffic: () => <TrafficAlarms />, targets: () => <Targets /> }
  const shown = TABS.filter((each) => each !== 'targets' || may('listNotificationTargets'))
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <Tabs
        label={texts.tabs}
        value={tab}
        onValue={(chosen) => change({ tab: chosen })}
        tabs={shown.map((value) => ({ value, label: texts[value], content: contents[value] }))}
      />
    </>
  )
}
