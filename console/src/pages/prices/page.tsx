/** General prices, price groups, and which accounts move between them. */
import { useMay } from '../../api/me.ts'
import { useGroupTexts } from '../../features/price-groups/group-texts.ts'
import { Groups } from '../../features/price-groups/groups.tsx'
import { Moves } from '../../features/price-groups/moves.tsx'
import { PRICE_ACTIONS } from '../../features/prices/price-actions.ts'
import { PriceListCard } from '../../features/prices/price-list-card.tsx'
import { TabbedPage } from '../../parts/page/tabbed-page.tsx'
import { TextLink } from '../../parts/text-link.tsx'

export function Page() {
  const texts = useGroupTexts()
  const may = useMay()
  const history = may('listAudit') && (
    <TextLink to="/audit" search={{ action: PRICE_ACTIONS }}>
      {texts.history}
    </TextLink>
  )
  return (
    <TabbedPage
      title={texts.title}
      description={texts.description}
      actions={history}
      tabsLabel={texts.tabs}
      tabs={[
        { value: 'general', label: texts.general, content: () => <PriceListCard group={null} /> },
        { value: 'groups', label: texts.groups, content: () => <Groups /> },
        { value: 'moves', label: texts.moves, content: () => <Moves /> },
      ]}
    />
  )
}
