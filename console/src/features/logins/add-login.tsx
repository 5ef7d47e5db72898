/** Adds a login. A password that the gateway makes is shown once. */
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { SecretPanel } from '../../parts/copy.tsx'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, useForm } from '../../parts/form/form.tsx'
import { FormActions } from '../../parts/form/form-dialog.tsx'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { type AddedLogin, NEW_LOGIN, readInputs } from './login.ts'
import { LoginFields } from './login-fields.tsx'
import { useLoginTexts } from './login-texts.ts'

interface AddLoginProps {
  readonly account: number
  readonly onClose: () => void
}

export function AddLoginDialog({ account, onClose }: AddLoginProps) {
  const texts = useLoginTexts()
  const [added, setAdded] = useState<AddedLogin | null>(null)
  const show = (login: AddedLogin) => (login.password === null ? onClose() : setAdded(login))
  return (
    <Dialog
      open
      onClose={onClose}
      title={added === null ? texts.addTitle : texts.added(added.name)}
      keepOpen={added !== null}
    >
      {added === null ? (
        <AddForm account={account} onClose={onClose} onAdded={show} />
      ) : (
        <div className="flex flex-col gap-4">
          <SecretPanel label={texts.password} secret={added.password ?? ''} />
          <DialogActions>
            <Button kind="primary" onClick={onClose}>
              {texts.done}
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  )
}

function AddForm({ account, onClose, onAdded }: AddLoginProps & { readonly onAdded: (login: AddedLogin) => void }) {
  const texts = useLoginTexts()
  const form = useForm({
    initial: { name: '', password: '', test: 'live' as 'live' | 'test', ...NEW_LOGIN },
    send: ({ name, password, test, ...inputs }, key) => {
      const settings = readInputs(inputs, texts.wholeNumber)
      const given = password === '' ? {} : { password }
      const body = { name: name.trim(), test: test === 'test', ...given, ...settings }
      return api.post('/accounts/{account}/logins', { params: { account }, body, key })
    },
    done: (login) => {
      invalidate('/accounts/{account}/logins')
      toast(texts.added(login.name))
      if (login.warning !== undefined) toast(login.warning, 'bad')
      onAdded(login)
    },
  })
  return (
    <Form form={form}>
      <TextField label={texts.name} hint={texts.nameHint} maxLength={64} {...form.field('name')} />
      <TextField
        label={texts.password}
        hint={texts.passwordHint}
        type="password"
        autoComplete="new-password"
        maxLength={128}
        optional
        {...form.field('password')}
      />
      <SelectField
        label={texts.kind}
        choices={[
          { value: 'live', label: texts.live },
          { value: 'test', label: texts.test },
        ]}
        {...form.field('test')}
      />
      <LoginFields form={form} signingKeyHint={texts.signingKeyHint} />
      <FormActions form={form} onCancel={onClose} action={texts.add} />
    </Form>
  )
}
