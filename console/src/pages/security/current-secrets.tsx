/** Fields for the present password and code, which a change of either asks for if they are set. */
import { TextField } from '../../parts/form/field.tsx'
import type { FormState } from '../../parts/form/form.tsx'
import { useSecurityTexts } from './security-texts.ts'

/** What the user has set. */
export interface SecretsSet {
  readonly password: boolean
  readonly codes: boolean
}

export interface CurrentValues {
  readonly current_password: string
  readonly current_code: string
}

export const NO_CURRENT: CurrentValues = { current_password: '', current_code: '' }

/** Returns the fields to send. */
export function currentBody(values: CurrentValues, has: SecretsSet): Partial<CurrentValues> {
  return {
    ...(has.password ? { current_password: values.current_password } : {}),
    ...(has.codes ? { current_code: values.current_code } : {}),
  }
}

interface CurrentSecretsProps<V extends CurrentValues> {
  readonly form: FormState<V>
  readonly has: SecretsSet
}

export function CurrentSecrets<V extends CurrentValues>({ form, has }: CurrentSecretsProps<V>) {
  const texts = useSecurityTexts()
  return (
    <>
      {has.password && (
        <TextField
          label={texts.currentPassword}
          type="password"
          autoComplete="current-password"
          {...form.field('current_password')}
        />
      )}
      {has.codes && (
        <TextField
          label={texts.currentCode}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={8}
          {...form.field('current_code')}
        />
      )}
    </>
  )
}
