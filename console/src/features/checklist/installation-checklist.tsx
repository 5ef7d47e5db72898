/** What the installation lacks until its first message is delivered. Once nothing is missing, the user may hide it. */
import { useState } from 'react'
import { useMay } from '../../api/me.ts'
import { useApi } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/page/page.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { labelOf, useAccountName } from '../accounts/account-name.tsx'
import { useChecklistTexts } from './checklist-texts.ts'
import { PointList } from './point-list.tsx'

const EVERY_MS = 15_000
const KEY = 'posthorn.checklist-hidden'

export function InstallationChecklist() {
  const texts = useChecklistTexts()
  const may = useMay()
  const [isHidden, setHidden] = useState(wasHidden)
  const { data } = useApi('/checklist', {}, { every: EVERY_MS, enabled: may('showChecklist') })
  const name = useAccountName(data?.account ?? null)
  if (data === undefined || (data.ready && isHidden)) return null
  const { ready, points, account } = data
  const hide = () => {
    keepHidden()
    setHidden(true)
  }
  if (ready) {
    const button = (
      <Button size="small" onClick={hide}>
        {texts.hide}
      </Button>
    )
    return (
      <Notice kind="good" action={button}>
        {texts.setUpDone}
      </Notice>
    )
  }
  return (
    <Card
      title={texts.setUp}
      description={account === null ? texts.setUpNoAccount : texts.setUpHint(labelOf(account, name))}
    >
      <PointList label={texts.setUp} points={points} account={account} />
    </Card>
  )
}

function wasHidden(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}

function keepHidden(): void {
  try {
    localStorage.setItem(KEY, 'yes')
  } catch {
    // Browsers may refuse it: then it is hidden until the page is loaded again.
  }
}
