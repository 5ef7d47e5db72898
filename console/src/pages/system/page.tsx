/** What runs, and its setup as one document. */
import { useMay } from '../../api/me.ts'
import { TabbedPage } from '../../parts/page/tabbed-page.tsx'
import { Configuration } from './configuration.tsx'
import { Gateways } from './gateways.tsx'
import { useSystemTexts } from './texts.ts'

export function Page() {
  const texts = useSystemTexts()
  const may = useMay()
  const seesSetup = may('exportConfiguration')
  return (
    <TabbedPage
      title={texts.title}
      description={texts.description}
      tabsLabel={texts.tabs}
      tabs={[
        { value: 'gateways', label: texts.gateways, content: () => <Gateways /> },
        { value: 'configuration', label: texts.configuration, content: () => <Configuration />, shown: seesSetup },
      ]}
    />
  )
}
