/** Imports a carrier's sheet in three steps: the file, what its columns are, and what changes. */
import { useState } from 'react'
import { api, makeRequestKey } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { readDecimal, refuseField } from '../../parts/form/decimal.ts'
import { Form, type FormState, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { readCurrency } from '../prices/currency-field.tsx'
import { invalidatePrices, ownerFields } from '../prices/price.ts'
import { ColumnStep } from './column-step.tsx'
import { FileStep } from './file-step.tsx'
import { PreviewStep } from './preview-step.tsx'
import type { SheetAnswer, SheetColumns, SheetTarget, SheetValues } from './sheet.ts'
import { useSheetTexts } from './sheet-texts.ts'

interface SheetDialogProps {
  readonly target: SheetTarget
  readonly onClose: () => void
}

const INITIAL: SheetValues = {
  ...{ file: null, channel: 'sms', from: '', currency: '', percent: '100', min_margin: '0', replace: false },
  ...{ columns: {}, decimal: '', skip_wrong: false, confirm: false },
}

type Step = 1 | 2 | 3

export function SheetDialog({ target, onClose }: SheetDialogProps) {
  const texts = useSheetTexts()
  const [step, setStep] = useState<Step>(1)
  const [answer, setAnswer] = useState<SheetAnswer | null>(null)
  const form = useForm({
    initial: target.kind === 'prices' ? { ...INITIAL, currency: target.currency } : INITIAL,
    send: (values, key) => send(target, values, { step, key, texts }),
    done: (sent) => {
      setAnswer(sent)
      if (sent.applied) {
        invalidate('/costs')
        invalidatePrices()
        toast(texts.applied(sent.effects))
        return onClose()
      }
      if (step === 1) form.change({ columns: sent.columns })
      setStep(step === 1 || sent.columns_fault !== null ? 2 : 3)
    },
  })
  const title = target.kind === 'costs' ? texts.costsTitle(target.carrier) : texts.pricesTitle
  const { currency } = form.values
  const readChanges = async () => {
    const { csv } = await send(target, form.values, { step, key: makeRequestKey(), texts, csvChanges: true })
    return csv ?? ''
  }
  return (
    <Dialog open onClose={onClose} title={title} description={texts.step(step)} wide>
      <Form form={form}>
        {/* Stays: a file cannot be put into its input again. */}
        <div hidden={step !== 1} className="flex flex-col gap-4">
          <FileStep form={form} target={target} />
        </div>
        {step === 2 && answer !== null && <ColumnStep form={form} answer={answer} />}
        {step === 3 && answer !== null && (
          <PreviewStep form={form} answer={answer} currency={currency} readChanges={readChanges} />
        )}
        <Actions form={form} step={step} answer={answer} onClose={onClose} back={() => setStep(step === 3 ? 2 : 1)} />
      </Form>
    </Dialog>
  )
}

interface ActionsProps {
  readonly form: FormState<SheetValues>
  readonly step: Step
  readonly answer: SheetAnswer | null
  readonly onClose: () => void
  readonly back: () => void
}

function Actions({ form, step, answer, onClose, back }: ActionsProps) {
  const texts = useSheetTexts()
  const { skip_wrong: skipsWrong, confirm } = form.values
  const isOpen = (answer?.wrong ?? 0) === 0 || skipsWrong
  const isSure = answer?.doubt === null || confirm
  const label = { 1: texts.toColumns, 2: texts.toPreview, 3: texts.apply }[step]
  return (
    <DialogActions>
      <Button onClick={step === 1 ? onClose : back}>{step === 1 ? texts.cancel : texts.back}</Button>
      <SubmitButton form={form} disabled={step === 3 && !(isOpen && isSure && answer?.rates !== 0)}>
        {label}
      </SubmitButton>
    </DialogActions>
  )
}

interface SendOptions {
  readonly step: Step
  readonly key: string
  readonly texts: ReturnType<typeof useSheetTexts>
  /** Asks for all changes, and changes nothing. */
  readonly csvChanges?: boolean
}

function send(
  target: SheetTarget,
  values: SheetValues,
  { step, key, texts, csvChanges = false }: SendOptions,
): Promise<SheetAnswer> {
  const { file, channel, from, currency, percent, columns, decimal, replace, skip_wrong, confirm } = values
  if (file === null) return refuseField('file', texts.noFile)
  const body = {
    ...{ csv: file.text, file: file.name, from: from === '' ? null : from, replace, skip_wrong, confirm },
    ...{ dry_run: step < 3 || csvChanges, csv_changes: csvChanges },
    ...(decimal === '' ? {} : { decimal }),
    ...(step === 1 ? {} : { columns: named(columns) }),
  }
  if (target.kind === 'costs') {
    const own = currency.trim() === '' ? {} : { currency: readCurrency(currency) }
    return api.post('/carriers/{carrier}/cost-sheets', {
      params: { carrier: target.carrier },
      body: { ...body, ...own },
      key,
    })
  }
  const scale = {
    percent: readDecimal('percent', percent, texts.wrongNumber),
    min_margin: readDecimal('min_margin', values.min_margin, texts.wrongNumber),
  }
  const whose = { ...ownerFields(target), currency: readCurrency(currency) }
  return api.post('/price-sheets', { body: { ...body, ...scale, ...whose, channel }, key })
}

function named(columns: SheetColumns): SheetColumns {
  return Object.fromEntries(Object.entries(columns).filter(([, column]) => column !== undefined))
}
