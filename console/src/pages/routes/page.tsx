/** Where messages go: routes, the numbers that calls come from, and the mobile operators of numbers. */
import { PageHeader } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { urlChoice, useUrlState } from '../../parts/url-state.ts'
import { OperatorsTab } from './operators-tab.tsx'
import { PoolsTab } from './pools-tab.tsx'
import { RoutesTab } from './routes-tab.tsx'
import { useRouteTexts } from './texts.ts'

const TABS = ['routes', 'pools', 'operators'] as const
const STATE = { tab: urlChoice(TABS, 'routes') }

export function Page() {
  const texts = useRouteTexts()
  const [{ tab }, change] = useUrlState(STATE)
  const contents = { routes: () => <RoutesTab />, pools: () => <PoolsTab />, operators: () => <OperatorsTab /> }
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <Tabs
        label={texts.tabs}
        value={tab}
        onValue={(chosen) => change({ tab: chosen })}
        tabs={TABS.map((value) => ({ value, label: texts.tabNames[value], content: contents[value] }))}
      />
    </>
  )
}
