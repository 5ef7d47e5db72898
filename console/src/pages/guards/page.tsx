/** What keeps the installation from sending unwanted messages: number lists, opt-outs and limits. */
import { OptOutsCard } from '../../features/opt-outs/opt-outs-card.tsx'
import { TabbedPage } from '../../parts/page/tabbed-page.tsx'
import { Limits } from './limits.tsx'
import { NumberLists } from './number-lists.tsx'
import { useGuardTexts } from './texts.ts'

export function Page() {
  const texts = useGuardTexts()
  return (
    <TabbedPage
      title={texts.title}
      description={texts.description}
      tabsLabel={texts.tabs}
      tabs={[
        { value: 'numbers', label: texts.tabNames.numbers, content: () => <NumberLists /> },
        { value: 'opt-outs', label: texts.tabNames.optOuts, content: () => <OptOutsCard account={null} /> },
        { value: 'limits', label: texts.tabNames.limits, content: () => <Limits /> },
      ]}
    />
  )
}
