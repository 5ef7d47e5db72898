/** One price group: its prices, its accounts. */
import { useNavigate, useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidateGroups } from '../../features/price-groups/group.ts'
import { useGroupTexts } from '../../features/price-groups/group-texts.ts'
import { Members } from '../../features/price-groups/members.tsx'
import { PriceListCard } from '../../features/prices/price-list-card.tsx'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { TabbedPage } from '../../parts/page/tabbed-page.tsx'

export function Page() {
  const texts = useGroupTexts()
  const group = String(useParams({ strict: false })['group' as never])
  const mayRemove = useMay()('removePriceGroup')
  const [isRemoving, setRemoving] = useState(false)
  const navigate = useNavigate()
  const remove = async (key: string) => {
    await api.delete('/price-groups/{group}', { params: { group }, key })
    toast(texts.removed(group))
    await navigate({ to: '/prices', search: { tab: 'groups' } as never })
    invalidateGroups()
  }
  return (
    <>
      <TabbedPage
        title={group}
        back={{ to: '/prices', search: { tab: 'groups' }, label: texts.back }}
        actions={
          mayRemove && (
            <Button icon={Trash2} onClick={() => setRemoving(true)}>
              {texts.remove}
            </Button>
          )
        }
        tabsLabel={texts.tabs}
        tabs={[
          { value: 'prices', label: texts.prices, content: () => <PriceListCard group={group} /> },
          { value: 'accounts', label: texts.accounts, content: () => <Members group={group} /> },
        ]}
      />
      <ConfirmDialog
        open={isRemoving}
        danger
        onClose={() => setRemoving(false)}
        title={texts.removeTitle(group)}
        action={texts.remove}
        run={remove}
      >
        {texts.removeText}
      </ConfirmDialog>
    </>
  )
}
