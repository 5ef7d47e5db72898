/** Issues a key: in a dialog, and in the form of new accounts. */
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'
import { refuseField } from '../../parts/form/decimal.ts'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, useForm } from '../../parts/form/form.tsx'
import { FormActions } from '../../parts/form/form-dialog.tsx'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { IssuedKeyPanel } from './issued-key.tsx'
import { type IssuedKey, SCOPES } from './key.ts'
import { useKeyTexts } from './key-texts.ts'
import { NarrowFields, NOT_NARROWED, readNarrowing } from './narrow-fields.tsx'
import { ScopeBoxes } from './scope-boxes.tsx'

const DAY_MS = 86_400_000
const LIFETIMES = ['30', '90', '365'] as const

interface IssueKeyProps {
  readonly account: number
  readonly onClose: () => void
}

export function IssueKeyDialog({ account, onClose }: IssueKeyProps) {
  const texts = useKeyTexts()
  const [issued, setIssued] = useState<IssuedKey | null>(null)
  const title = issued === null ? texts.issueTitle : texts.issued(issued.name)
  return (
    <Dialog open onClose={onClose} title={title} keepOpen={issued !== null}>
      {issued === null ? (
        <IssueForm account={account} onClose={onClose} onIssued={setIssued} />
      ) : (
        <IssuedKeyPanel issued={issued} onDone={onClose} />
      )}
    </Dialog>
  )
}

function IssueForm({ account, onClose, onIssued }: IssueKeyProps & { readonly onIssued: (key: IssuedKey) => void }) {
  const texts = useKeyTexts()
  const form = useForm({
    initial: {
      name: '',
      test: 'live' as 'live' | 'test',
      scopes: SCOPES,
      expires_at: '' as '' | '30' | '90' | '365',
      ...NOT_NARROWED,
    },
    send: ({ name, test, scopes, expires_at: days, ...narrowing }, key) => {
      if (scopes.length === 0) refuseField('scopes', texts.noScope)
      const expires = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()
      const narrowed = readNarrowing(narrowing, texts.wholeNumber)
      const body = { name: name.trim(), test: test === 'test', scopes, expires_at: expires, ...narrowed }
      return api.post('/accounts/{account}/keys', { params: { account }, body, key })
    },
    done: (issued) => {
      invalidate('/accounts/{account}/keys', '/accounts/{account}')
      toast(texts.issued(issued.name))
      onIssued(issued)
    },
  })
  return (
    <Form form={form}>
      <TextField label={texts.name} hint={texts.nameHint} maxLength={100} {...form.field('name')} />
      <SelectField
        label={texts.kind}
        choices={[
          { value: 'live', label: texts.live },
          { value: 'test', label: texts.test },
        ]}
        {...form.field('test')}
      />
      <ScopeBoxes {...form.field('scopes')} />
      <SelectField
        label={texts.expires}
        none={texts.never}
        choices={LIFETIMES.map((days) => ({ value: days, label: texts.in[days] }))}
        {...form.field('expires_at')}
      />
      <NarrowFields form={form} />
      <FormActions form={form} onCancel={onClose} action={texts.issue} />
    </Form>
  )
}
