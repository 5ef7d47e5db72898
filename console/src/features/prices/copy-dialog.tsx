/** Copies a price list to an account, after a preview. */
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { Button } from '../../parts/button.tsx'
import { Combobox } from '../../parts/form/combobox.tsx'
import { parseDecimal, readDecimal } from '../../parts/form/decimal.ts'
import { Checkbox, type Choice, SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { useFormats } from '../../texts/formats.ts'
import { searchAccounts } from '../accounts/account-field.tsx'
import { invalidatePrices, type PriceOwner } from './price.ts'
import { usePriceTexts } from './price-texts.ts'

type Copied = AnswerOf<'POST', '/accounts/{account}/tariff-copies'>

interface CopyDialogProps {
  readonly owner: PriceOwner
  readonly onClose: () => void
}

export function CopyDialog({ owner: { account, currency }, onClose }: CopyDialogProps) {
  const texts = usePriceTexts()
  const [preview, setPreview] = useState<Copied | null>(null)
  const form = useForm({
    initial: { whose: 'general', from: null as Choice | null, percent: '100', replace: false, confirm: false },
    send: ({ whose, from, percent, replace, confirm }, key) => {
      const source = whose === 'general' || from === null ? {} : { from: Number(from.value) }
      const scale = { percent: readDecimal('percent', percent, texts.wrongPercent), replace, confirm }
      const body = { ...source, ...scale, dry_run: preview === null }
      return api.post('/accounts/{account}/tariff-copies', { params: { account }, body, key })
    },
    done: (copied) => {
      if (!copied.applied) return setPreview(copied)
      invalidatePrices()
      toast(texts.copied(copied.prices))
      onClose()
    },
  })
  const { whose, from } = form.values
  return (
    <Dialog open onClose={onClose} title={texts.copyTitle}>
      <Form form={form}>
        {preview === null ? (
          <>
            <SelectField
              label={texts.copyFrom}
              choices={[
                { value: 'general', label: texts.copyGeneral },
                { value: 'account', label: texts.copyAccount },
              ]}
              {...form.field('whose')}
            />
            {whose === 'account' && (
              <Combobox
                label={texts.account}
                name="accounts"
                value={from}
                onValue={(choice) => form.change({ from: choice })}
                search={searchAccounts}
              />
            )}
            <TextField label={texts.percent} hint={texts.percentHint} inputMode="decimal" {...form.field('percent')} />
            <Checkbox label={texts.replace} {...form.field('replace')} />
            {isUnusual(form.values.percent) && <Checkbox label={texts.confirmCopy} {...form.field('confirm')} />}
          </>
        ) : (
          <Preview copied={preview} currency={currency} />
        )}
        <DialogActions>
          <Button onClick={preview === null ? onClose : () => setPreview(null)}>
            {preview === null ? texts.cancel : texts.back}
          </Button>
          <SubmitButton form={form} disabled={whose === 'account' && from === null}>
            {preview === null ? texts.preview : texts.copyAction}
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
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
