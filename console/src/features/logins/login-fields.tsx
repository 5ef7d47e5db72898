/** The settings of a login and its signing key: the fields that its forms share. */
import { Checkbox, TextField } from '../../parts/form/field.tsx'
import type { FormState } from '../../parts/form/form.tsx'
import { PriorityField } from '../keys/priority-field.tsx'
import type { LoginInputs } from './login.ts'
import { useLoginTexts } from './login-texts.ts'

interface LoginFieldsProps {
  readonly form: Pick<FormState<LoginInputs>, 'field'>
  readonly signingKeyHint: string
}

export function LoginFields({ form, signingKeyHint }: LoginFieldsProps) {
  const texts = useLoginTexts()
  return (
    <>
      <TextField label={texts.networks} hint={texts.networksHint} optional {...form.field('networks')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={texts.type} hint={texts.typeHint} {...form.field('type')} />
        <TextField label={texts.sender} hint={texts.senderHint} optional {...form.field('sender')} />
        <TextField label={texts.maxBinds} inputMode="numeric" {...form.field('max_binds')} />
        <TextField label={texts.window} hint={texts.windowHint} inputMode="numeric" {...form.field('window')} />
      </div>
      <TextField
        label={texts.perSecond}
        hint={texts.perSecondHint}
        inputMode="numeric"
        optional
        {...form.field('per_second')}
      />
      <PriorityField {...form.field('priority')} />
      <Checkbox label={texts.once} {...form.field('once_by_reference')} />
      <TextField
        label={texts.signingKey}
        hint={signingKeyHint}
        type="password"
        autoComplete="off"
        maxLength={200}
        optional
        {...form.field('signing_key')}
      />
    </>
  )
}
