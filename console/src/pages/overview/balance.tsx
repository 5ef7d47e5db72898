/** For users of an account: their money, and what is missing before they can send. */
import { useApi } from '../../api/queries.ts'
import { AccountChecklist } from '../../features/checklist/account-checklist.tsx'
import { Stat, Stats } from '../../parts/charts/stat.tsx'
import { Money } from '../../parts/values.tsx'
import { useOverviewTexts } from './overview-texts.ts'

const EVERY_MS = 10_000

export function Balance({ account }: { readonly account: number }) {
  const texts = useOverviewTexts()
  const { data } = useApi('/accounts/{account}/balance', { params: { account } }, { every: EVERY_MS })
  const money = (amount: number | undefined) =>
    data === undefined ? '–' : <Money as="headline" amount={amount} currency={data.currency} />
  return (
    <>
      <Stats>
        <Stat label={texts.available} value={money(data?.available)} />
        <Stat label={texts.onHold} value={money(data?.held)} />
        <Stat label={texts.spentInAll} value={money(data?.spent)} />
      </Stats>
      <AccountChecklist account={account} />
    </>
  )
}
