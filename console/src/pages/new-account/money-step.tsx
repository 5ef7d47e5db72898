/** Step 2: the first money, and whether the currency has prices. */
import { useMay } from '../../api/me.ts'
import { useApi } from '../../api/queries.ts'
import { TopUpForm } from '../../features/ledger/top-up.tsx'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { Money } from '../../parts/values.tsx'
import { useNewTexts } from './new-texts.ts'
import type { StepProps } from './step.ts'

export function MoneyStep({ account, onDone }: StepProps) {
  const texts = useNewTexts()
  const may = useMay()
  const { currency, available } = account
  const { data: prices } = useApi('/prices', { query: { currency, most: 1 } }, { enabled: may('listPrices') })
  const mayTopUp = may('topUp')
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">{texts.moneyHint}</p>
      {prices?.data.length === 0 && <Notice kind="warn">{texts.noPrices(currency)}</Notice>}
      {available !== 0 && (
        <p>
          {texts.available} <Money amount={available} currency={currency} />
        </p>
      )}
      {mayTopUp ? (
        <TopUpForm account={account.account} currency={currency} onDone={onDone}>
          <Button onClick={onDone}>{available === 0 ? texts.skip : texts.next}</Button>
        </TopUpForm>
      ) : (
        <>
          <Notice kind="info">{texts.noTopUp}</Notice>
          <div className="flex justify-end">
            <Button kind="primary" onClick={onDone}>
              {texts.next}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
