/** Adds money to an account. The button says the amount as it was understood. */
import type { ReactNode } from 'react'
import { api } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'
import { parseDecimal, readAmount } from '../../parts/form/decimal.ts'
import { TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useLedgerTexts } from './ledger-texts.ts'

interface TopUpFormProps {
  readonly account: number
  readonly currency: string
  readonly onDone: () => void
  /** The button beside the one that sends. */
  readonly children: ReactNode
}

export function TopUpForm({ account, currency, onDone, children }: TopUpFormProps) {
  const texts = useLedgerTexts()
  const formats = useFormats()
  const form = useForm({
    initial: { amount: '', note: '' },
    send: ({ amount, note }, key) => {
      const said = note.trim() === '' ? {} : { note: note.trim() }
      const body = { amount: readAmount('amount', amount, texts.amountProblems), ...said }
      return api.post('/accounts/{account}/top-ups', { params: { account }, body, key })
    },
    done: ({ available }) => {
      invalidateMoney()
      toast(texts.toppedUp(formats.money(available, currency)))
      onDone()
    },
  })
  const amount = parseDecimal(form.values.amount)
  return (
    <Form form={form}>
      <TextField
        label={texts.amount(currency)}
        hint={texts.amountHint}
        inputMode="decimal"
        maxLength={20}
        {...form.field('amount')}
      />
      <TextField label={texts.note} hint={texts.noteHint} optional maxLength={500} {...form.field('note')} />
      <div className="flex flex-wrap justify-end gap-2">
        {children}
        <SubmitButton form={form}>
          {amount === null ? texts.topUp : texts.topUpAmount(formats.money(amount, currency))}
        </SubmitButton>
      </div>
    </Form>
  )
}

/** Reads again what shows the money of accounts. */
export function invalidateMoney(): void {
  invalidate('/accounts/{account}', '/accounts', '/accounts/{account}/balance', '/accounts/{account}/postings')
  invalidate('/accounts/{account}/statements/{month}')
}
