/** Changes the settings, the password and the signing key of a login. */
import { api } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'
import { Checkbox, TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { type Login, readInputs, writeInputs } from './login.ts'
import { LoginFields } from './login-fields.tsx'
import { useLoginTexts } from './login-texts.ts'

interface ChangeLoginProps {
  readonly login: Login
  readonly onClose: () => void
}

export function ChangeLoginDialog({ login, onClose }: ChangeLoginProps) {
  const texts = useLoginTexts()
  const { account, name } = login
  const form = useForm({
    initial: { password: '', unsigned: false, ...writeInputs(login) },
    send: ({ password, unsigned, ...inputs }, key) => {
      const settings = readInputs(inputs, texts.wholeNumber)
      const body = {
        ...settings,
        ...(password === '' ? {} : { password }),
        ...(unsigned ? { signing_key: null } : {}),
      }
      return api.patch('/accounts/{account}/logins/{name}', { params: { account, name }, body, key })
    },
    done: ({ warning }) => {
      invalidate('/accounts/{account}/logins')
      toast(texts.changed(name))
      if (warning !== undefined) toast(warning, 'bad')
      onClose()
    },
  })
  return (
    <FormDialog onClose={onClose} title={texts.changeTitle(name)} form={form} action={texts.save}>
      <TextField
        label={texts.password}
        hint={texts.newPasswordHint}
        type="password"
        autoComplete="new-password"
        maxLength={128}
        optional
        {...form.field('password')}
      />
      <LoginFields form={form} signingKeyHint={texts.newSigningKeyHint} />
      {login.signs && <Checkbox label={texts.removeSigningKey} {...form.field('unsigned')} />}
    </FormDialog>
  )
}
