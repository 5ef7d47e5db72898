/** Gives back what a message was charged, whole or in part. */
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate } from '../../api/queries.ts'
import { useLedgerTexts } from '../../features/ledger/ledger-texts.ts'
import { invalidateMoney } from '../../features/ledger/top-up.tsx'
import type { Trace } from '../../features/messages/message-facts.ts'
import { Button } from '../../parts/button.tsx'
import { parseDecimal, readAmount } from '../../parts/form/decimal.ts'
import { TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { useFormats } from '../../texts/formats.ts'
import { usePageTexts } from './message-page-texts.ts'

/** Amounts have at most this many millionths. */
const MICROS = 1_000_000

/** Returns what was refunded so far, in the currency of the message. */
export function refundedOf({ timeline }: Trace): number {
  const refunds = timeline.filter(({ component, event }) => component === 'money' && event === 'refund')
  return refunds.reduce((sum, { detail }) => sum + Math.round(Number.parseFloat(detail) * MICROS), 0) / MICROS
}

export function RefundAction({ trace }: { readonly trace: Trace }) {
  const texts = usePageTexts()
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  const left = Math.round((Number(trace.price) - refundedOf(trace)) * MICROS) / MICROS
  if (left <= 0 || !may('refundMessage')) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>{texts.refund}</Button>
      {isOpen && <RefundDialog trace={trace} left={left} onClose={() => setOpen(false)} />}
    </>
  )
}

interface RefundDialogProps {
  readonly trace: Trace
  /** What is not refunded of its charge. */
  readonly left: number
  readonly onClose: () => void
}

function RefundDialog({ trace: { message, currency }, left, onClose }: RefundDialogProps) {
  const texts = usePageTexts()
  const words = useLedgerTexts()
  const formats = useFormats()
  const form = useForm({
    initial: { amount: String(left), note: '' },
    send: ({ amount, note }, key) => {
      const body = { amount: readAmount('amount', amount, words.amountProblems), note: note.trim() }
      return api.post('/messages/{message}/refunds', { params: { message }, body, key })
    },
    done: () => {
      invalidateMoney()
      invalidate('/messages/{message}', '/messages/{message}/details')
      toast(texts.refundDone)
      onClose()
    },
  })
  const amount = parseDecimal(form.values.amount)
  return (
    <FormDialog
      onClose={onClose}
      title={texts.refundTitle}
      description={texts.refundHint}
      form={form}
      action={amount === null ? texts.refund : texts.refundAction(formats.money(amount, currency))}
    >
      <TextField
        label={words.amount(currency)}
        hint={texts.refundLeft(formats.money(left, currency))}
        inputMode="decimal"
        maxLength={20}
        {...form.field('amount')}
      />
      <TextField label={words.why} maxLength={500} {...form.field('note')} />
    </FormDialog>
  )
}
