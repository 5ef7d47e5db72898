/** Step 4: the key. */
import { api } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'
import { TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { useNewTexts } from './new-texts.ts'
import type { StepProps } from './step.ts'

interface KeyStepProps extends Pick<StepProps, 'account'> {
  readonly onIssued: (key: string) => void
}

export function KeyStep({ account: { account, keys }, onIssued }: KeyStepProps) {
  const texts = useNewTexts()
  const form = useForm({
    initial: { name: keys.includes('server') ? '' : 'server' },
    send: ({ name }, key) =>
      api.post('/accounts/{account}/keys', { params: { account }, body: { name: name.trim() }, key }),
    done: (issued) => {
      invalidate('/accounts/{account}', '/accounts/{account}/keys')
      onIssued(issued.key)
    },
  })
  return (
    <Form form={form}>
      <p className="text-muted">{texts.keyHint}</p>
      <TextField label={texts.keyName} maxLength={100} {...form.field('name')} />
      <div className="flex justify-end">
        <SubmitButton form={form}>{texts.issue}</SubmitButton>
      </div>
    </Form>
  )
}
