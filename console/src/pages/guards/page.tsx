/** What keeps the installation from sending unwanted messages: number lists and limits. */
import { PageHeader } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { urlChoice, useUrlState } from '../../parts/url-state.ts'
import { Limits } from './limits.tsx'
import { NumberLists } from './number-lists.tsx'
import { useGuardTexts } from './texts.ts'

const TABS = ['numbers', 'limits'] as const
const STATE = { tab: urlChoice(TABS, 'numbers') }

export function Page() {
  const texts = useGuardTexts()
  const [{ tab }, change] = useUrlState(STATE)
  const contents = { numbers: () => <NumberLists />, limits: () => <Limits /> }
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
