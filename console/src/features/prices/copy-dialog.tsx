/** Copies a price list to an account or a price group, after a preview. */
import { useState } from 'react'
import { type AnswerOf, api, type InputOf } from '../../api/api.ts'
import { Button } from '../../parts/button.tsx'
import { Combobox } from '../../parts/form/combobox.tsx'
import { parseDecimal, readDecimal } from '../../parts/form/decimal.ts'
import { Checkbox, type Choice, SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { useFormats } from '../../texts/formats.ts'
import { searchAccounts } from '../accounts/account-field.tsx'
import { CurrencyField, readCurrency } from './currency-field.tsx'
import { invalidatePrices, type PriceOwner } from './price.ts'
import { usePriceTexts, whoseText } from './price-texts.ts'
import { searchGroups } from './search-groups.ts'

type Copied = AnswerOf<'POST', '/accounts/{account}/tariff-copies'>

interface CopyDialogProps {
  readonly owner: PriceOwner
  readonly onClose: () => void
}

export function CopyDialog({ owner, onClose }: CopyDialogProps) {
  const texts = usePriceTexts()
  const [preview, setPreview] = useState<Copied | null>(null)
  const form = useForm({
    initial: {
      ...{ currency: owner.currency, whose: 'general' as Source, from: null as Choice | null },
      ...{ percent: '100', replace: false, confirm: false },
    },
    send: ({ currency, whose, from, percent, replace, confirm }, key) => {
      const source = sourceOf(whose, from)
      const scale = { percent: readDecimal('percent', percent, texts.wrongPercent), replace, confirm }
      const body = { ...source, ...scale, dry_run: preview === null }
      return copy(owner, { ...body, currency: readCurrency(currency) }, key)
    },
    done: (copied) => {
      if (!copied.applied) return setPreview(copied)
      invalidatePrices()
      toast(texts.copied(copied.prices))
      onClose()
    },
  })
  const { whose, from, currency } = form.values
  return (
    <Dialog open onClose={onClose} title={texts.copyTitle(whoseText(texts, owner))}>
      <Form form={form}>
        {preview === null ? (
          <>
            <SelectField
              label={texts.copyFrom}
              choices={[
                { value: 'general', label: texts.copyGeneral },
                { value: 'account', label: texts.copyAccount },
                { value: 'group', label: texts.copyGroup },
              ]}
              {...form.field('whose')}
              onValue={(value) => form.change({ whose: value, from: null })}
            />
            {whose !== 'general' && (
              <Combobox
                key={whose}
                label={whose === 'account' ? texts.account : texts.group}
                name={`${whose}s`}
                value={from}
                onValue={(choice) => form.change({ from: choice })}
                search={whose === 'account' ? searchAccounts : searchGroups}
              />
            )}
            <CurrencyField owner={owner} form={form} />
            <TextField label={texts.percent} hint={texts.percentHint} inputMode="decimal" {...form.field('percent')} />
            <Checkbox label={texts.replace} {...form.field('replace')} />
            {isUnusual(form.values.percent) && <Checkbox label={texts.confirmCopy} {...form.field('confirm')} />}
          </>
        ) : (
          <Preview copied={preview} currency={readCurrency(currency)} />
        )}
        <DialogActions>
          <Button onClick={preview === null ? onClose : () => setPreview(null)}>
            {preview === null ? texts.cancel : texts.back}
          </Button>
          <SubmitButton form={form} disabled={whose !== 'general' && from === null}>
            {preview === null ? texts.preview : texts.copyAction}
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

type Source = 'general' | 'account' | 'group'

function sourceOf(whose: Source, from: Choice | null) {
  if (whose === 'general' || from === null) return {}
  return whose === 'account' ? { from: Number(from.value) } : { from_group: from.value }
}

type GroupCopy = InputOf<'POST', '/price-groups/{group}/tariff-copies'>['body']

function copy({ account, group }: PriceOwner, body: GroupCopy, key: string): Promise<Copied> {
  if (account === null)
    return api.post('/price-groups/{group}/tariff-copies', { params: { group: group ?? '' }, body, key })
  const { currency, ...ofAccount } = body
  return api.post('/accounts/{account}/tariff-copies', { params: { account }, body: ofAccount, key })
}

function Preview({ copied, currency }: { readonly copied: Copied; readonly currency: string }) {
  const texts = usePriceTexts()
  const formats = useFormats()
  return (
    <div>
      <p>{texts.copyPreview(copied.prices)}</p>
      <ul className="mt-2 divide-y rounded-md border">
        {copied.first.map(({ channel, prefix, operator, old_price: before, new_price: after }) => (
          <li key={`${channel} ${prefix} ${operator}`} className="flex justify-between gap-4 px-3 py-2">
            <span>
              {[channel, prefix === '' ? texts.all : prefix, operator].filter((each) => each !== null).join(' · ')}
            </span>
            <span className="text-right tabular-nums">
              <span className="text-muted">{formats.exactMoney(before, currency)} → </span>
              {formats.exactMoney(after, currency)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The API asks for a confirmation of such a percentage. */
function isUnusual(text: string): boolean {
  const percent = parseDecimal(text)
  return percent !== null && (percent < 10 || percent > 1_000)
}
