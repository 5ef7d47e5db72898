/** Where messages go: routes, the numbers that calls come from, and the mobile operators of numbers. */
import { TabbedPage } from '../../parts/page/tabbed-page.tsx'
import { OperatorsTab } from './operators-tab.tsx'
import { PoolsTab } from './pools-tab.tsx'
import { QualityTab } from './quality/quality-tab.tsx'
import { RoutesTab } from './routes-tab.tsx'
import { useRouteTexts } from './texts.ts'

export function Page() {
  const texts = useRouteTexts()
  return (
    <TabbedPage
      title={texts.title}
      description={texts.description}
      tabsLabel={texts.tabs}
      tabs={[
        { value: 'routes', label: texts.tabNames.routes, content: () => <RoutesTab /> },
        { value: 'quality', label: texts.tabNames.quality, content: () => <QualityTab /> },
        { value: 'pools', label: texts.tabNames.pools, content: () => <PoolsTab /> },
        { value: 'operators', label: texts.tabNames.operators, content: () => <OperatorsTab /> },
      ]}
    />
  )
}
