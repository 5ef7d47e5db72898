/** What an account lacks before it can send. */
import { useMay, useMe } from '../../api/me.ts'
import { useApi } from '../../api/queries.ts'
import { Card } from '../../parts/page/page.tsx'
import { useChecklistTexts } from './checklist-texts.ts'
import { shownPoints } from './point.ts'
import { ChannelStates, PointList } from './point-list.tsx'

const EVERY_MS = 15_000

/** Once nothing is missing, the channels and what is recommended. */
export function AccountChecklist({ account }: { readonly account: number }) {
  const texts = useChecklistTexts()
  const may = useMay()
  const isClient = useMe()?.account != null
  const { data } = useApi(
    '/accounts/{account}/checklist',
    { params: { account } },
    { every: EVERY_MS, enabled: may('showAccountChecklist') },
  )
  if (data === undefined || data.account !== account) return null
  const { ready, channels } = data
  // No channel of a suspended or closed account is ready.
  const inactive = data.points.find(({ point, state }) => point === 'account' && state === 'missing')?.about ?? null
  const needed = data.points.filter(({ state }) => state !== 'advised')
  const points = ready ? data.points.filter(({ state }) => state === 'advised') : needed
  const title = ready ? texts.canSend : inactive === null ? texts.cannotSend : texts.inactive(inactive)
  const shown = shownPoints(needed, texts, { account, isClient, may })
  const done = shown.filter(({ state }) => state === 'done').length
  return (
    <Card title={title} {...(!ready && inactive === null && { description: texts.progress(done, shown.length) })}>
      <div className="flex flex-col gap-4">
        {points.length > 0 && <PointList label={title} points={points} account={account} />}
        {inactive === null && <ChannelStates channels={channels} />}
      </div>
    </Card>
  )
}
