/** What runs, and its setup as one document. */
import { useMay } from '../../api/me.ts'
import { PageHeader } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { urlChoice, useUrlState } from '../../parts/url-state.ts'
import { Configuration } from './configuration.tsx'
import { Gateways } from './gateways.tsx'
import { useSystemTexts } from './texts.ts'

const TABS = ['gateways', 'configuration'] as const
const STATE = { tab: urlChoice(TABS, 'gateways') }

export function Page() {
  const texts = useSystemTexts()
  const may = useMay()
  const [{ tab }, change] = useUrlState(STATE)
  const contents = { gateways: () => <Gateways />, configuration: () => <Configuration /> }
  const shown = TABS.filter((each) => each !== 'configuration' || may('exportConfiguration'))
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
