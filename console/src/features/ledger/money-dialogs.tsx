/** Dialogs that change the money of an account: add, correct, set the credit limit. */
import { api } from '../../api/api.ts'
import { Button } from '../../parts/button.tsx'
import { parseDecimal, readAmount } from '../../parts/form/decimal.ts'
import { TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useLedgerTexts } from './ledger-texts.ts'
import { invalidateMoney, TopUpForm } from './top-up.tsx'

interface MoneyDialogProps {
  readonly account: number
  readonly currency: string
  readonly onClose: () => void
}

export function TopUpDialog({ account, currency, onClose }: MoneyDialogProps) {
  const texts = useLedgerTexts()
  return (
    <Dialog open onClose={onClose} title={texts.topUp}>
      <TopUpForm account={account} currency={currency} onDone={onClose}>
        <Button onClick={onClose}>{texts.cancel}</Button>
      </TopUpForm>
    </Dialog>
  )
}

export function CorrectionDialog({ account, currency, onClose }: MoneyDialogProps) {
  const texts = useLedgerTexts()
  const formats = useFormats()
  const form = useForm({
    initial: { amount: '', note: '' },
    send: ({ amount, note }, key) => {
      const body = { amount: readAmount('amount', amount, texts.amountProblems), note: note.trim() }
      return api.post('/accounts/{account}/corrections', { params: { account }, body, key })
    },
    done: ({ available }) => {
      invalidateMoney()
      toast(texts.toppedUp(formats.money(available, currency)))
      onClose()
    },
  })
  const amount = parseDecimal(form.values.amount)
  return (
    <FormDialog
      onClose={onClose}
      title={texts.correctTitle}
      description={texts.correctHint}
      form={form}
      action={amount === null ? texts.correct : texts.correctAmount(formats.money(amount, currency))}
    >
      <TextField label={texts.amount(currency)} hint={texts.correctionHint} maxLength={20} {...form.field('amount')} />
      <TextField label={texts.why} maxLength={500} {...form.field('note')} />
    </FormDialog>
  )
}

export function CreditLimitDialog({
  account,
  currency,
  onClose,
  limit,
}: MoneyDialogProps & { readonly limit: number }) {
  const texts = useLedgerTexts()
  const formats = useFormats()
  const form = useForm({
    initial: { credit_limit: String(limit) },
    send: ({ credit_limit: text }, key) => {
      const body = { credit_limit: readAmount('credit_limit', text, texts.amountProblems) }
      return api.put('/accounts/{account}/credit-limit', { params: { account }, body, key })
    },
    done: ({ credit_limit: set }) => {
      invalidateMoney()
      toast(texts.limitSet(formats.money(set, currency)))
      onClose()
    },
  })
  const amount = parseDecimal(form.values.credit_limit)
  return (
    <FormDialog
      onClose={onClose}
      title={texts.limitTitle}
      description={texts.limitHint}
      form={form}
      action={amount === null ? texts.limit : texts.limitAction(formats.money(amount, currency))}
    >
      <TextField
        label={texts.amount(currency)}
        hint={texts.amountHint}
        inputMode="decimal"
        maxLength={20}
        {...form.field('credit_limit')}
      />
    </FormDialog>
  )
}
