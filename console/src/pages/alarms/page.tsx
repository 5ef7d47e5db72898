/** Alarms of all kinds, unusual traffic, and who is notified. */
import { useMay } from '../../api/me.ts'
import { TabbedPage } from '../../parts/page/tabbed-page.tsx'
import { AlarmList } from './alarm-list.tsx'
import { Rules } from './rules.tsx'
import { Targets } from './targets.tsx'
import { useAlarmTexts } from './texts.ts'
import { TrafficAlarms } from './traffic-alarms.tsx'

export function Page() {
  const texts = useAlarmTexts()
  const may = useMay()
  return (
    <TabbedPage
      title={texts.title}
      description={texts.description}
      tabsLabel={texts.tabs}
      tabs={[
        { value: 'alarms', label: texts.alarms, content: () => <AlarmList /> },
        { value: 'traffic', label: texts.traffic, content: () => <TrafficAlarms /> },
        { value: 'rules', label: texts.rules, content: () => <Rules />, shown: may('listAlarmRules') },
        { value: 'targets', label: texts.targets, content: () => <Targets />, shown: may('listNotificationTargets') },
      ]}
    />
  )
}
