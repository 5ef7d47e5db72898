/** What keeps the installation from sending unwanted messages: number lists and limits. */
import { TabbedPage } from '../../parts/tabbed-page.tsx'
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
        { value: 'limits', label: texts.tabNames.limits, content: () => <Limits /> },
      ]}
    />
  )
}
