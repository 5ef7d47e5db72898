/** Step 1: name and currency. */
import { type AnswerOf, api } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'
import { TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { useNewTexts } from './new-texts.ts'

interface CreateStepProps {
  readonly onCreated: (account: AnswerOf<'POST', '/accounts'>) => void
}

export function CreateStep({ onCreated }: CreateStepProps) {
  const texts = useNewTexts()
  const form = useForm({
    initial: { name: '', currency: 'EUR' },
    send: ({ name, currency }, key) =>
      api.post('/accounts', { body: { name: name.trim(), currency: currency.trim().toUpperCase() }, key }),
    done: (account) => {
      invalidate('/accounts')
      toast(texts.created(account.name))
      onCreated(account)
    },
  })
  return (
    <Form form={form}>
      <TextField label={texts.name} hint={texts.nameHint} maxLength={100} {...form.field('name')} />
      <TextField label={texts.currency} hint={texts.currencyHint} maxLength={3} {...form.field('currency')} />
      <div className="flex justify-end">
        <SubmitButton form={form}>{texts.create}</SubmitButton>
      </div>
    </Form>
  )
}
