/** Imports prices from a CSV file, after showing what it changes. */
import { useId, useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { Button } from '../../parts/button.tsx'
import { refuseField } from '../../parts/form/decimal.ts'
import { Checkbox } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { fileNameOf } from '../sheets/read-file.ts'
import { CurrencyField, readCurrency } from './currency-field.tsx'
import { invalidatePrices, ownerFields, type PriceOwner } from './price.ts'
import { usePriceTexts } from './price-texts.ts'

type Imported = AnswerOf<'PUT', '/tariff'>

interface ImportDialogProps {
  readonly owner: PriceOwner
  readonly onClose: () => void
}

export function ImportDialog({ owner, onClose }: ImportDialogProps) {
  const texts = usePriceTexts()
  const id = useId()
  const [preview, setPreview] = useState<Imported | null>(null)
  const form = useForm({
    initial: { currency: owner.currency, csv: null as File | null, merge: true, confirm: false },
    send: async ({ currency, csv, merge, confirm }, key) => {
      if (csv === null) return refuseField('csv', texts.noFile)
      const whose = { ...ownerFields(owner), currency: readCurrency(currency) }
      const body = { ...whose, csv: await csv.text(), file: fileNameOf(csv), merge, confirm, dry_run: preview === null }
      return api.put('/tariff', { body, key })
    },
    done: (imported) => {
      if (!imported.applied) return setPreview(imported)
      invalidatePrices()
      toast(texts.imported)
      onClose()
    },
  })
  const { error } = form.field('csv')
  return (
    <Dialog open onClose={onClose} title={texts.importTitle} description={texts.importHint}>
      <Form form={form}>
        {preview === null ? (
          <>
            <div className="flex flex-col gap-1.5">
              <label htmlFor={id} className="text-sm font-medium">
                {texts.file}
              </label>
              <input
                id={id}
                type="file"
                accept=".csv,text/csv"
                aria-invalid={error !== undefined}
                aria-describedby={`${id}-error`}
                onChange={({ target }) => form.change({ csv: target.files?.[0] ?? null })}
              />
              <p id={`${id}-error`} className="text-sm whitespace-pre-line text-bad">
                {error}
              </p>
            </div>
            <CurrencyField owner={owner} form={form} />
            <Checkbox label={texts.merge} {...form.field('merge')} />
            <Checkbox label={texts.confirmImport} {...form.field('confirm')} />
          </>
        ) : (
          <div>
            <p>{texts.importPreview(preview.added, preview.changed, preview.removed)}</p>
            <ul className="mt-2 list-disc pl-5 text-sm [overflow-wrap:anywhere]">
              {preview.difference.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </div>
        )}
        <DialogActions>
          <Button onClick={preview === null ? onClose : () => setPreview(null)}>
            {preview === null ? texts.cancel : texts.back}
          </Button>
          <SubmitButton form={form}>{preview === null ? texts.preview : texts.importAction}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
