/** Set or replace the user's password. */
import { api } from '../../api/api.ts'
import { ApiError } from '../../api/problem.ts'
import { invalidate } from '../../api/queries.ts'
import { TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { CurrentSecrets, currentBody, NO_CURRENT, type SecretsSet } from './current-secrets.tsx'
import { useSecurityTexts } from './security-texts.ts'

export function Password({ has }: { readonly has: SecretsSet }) {
  const texts = useSecurityTexts()
  const form = useForm({
    initial: { password: '', repeated: '', ...NO_CURRENT },
    send: async (values) => {
      if (values.password !== values.repeated) {
        throw new ApiError(400, '', '', [{ field: 'repeated', detail: texts.repeatedWrong }])
      }
      await api.put('/me/password', { body: { password: values.password, ...currentBody(values, has) } })
    },
    done: () => {
      form.reset()
      invalidate('/me', '/users/{user}/tokens')
      toast(texts.passwordSaved)
    },
  })
  return (
    <Card title={texts.password} description={has.password ? texts.passwordSet : texts.passwordMissing}>
      <Form form={form} className="flex max-w-sm flex-col gap-4">
        <TextField
          label={texts.newPassword}
          hint={texts.newPasswordHint}
          type="password"
          autoComplete="new-password"
          {...form.field('password')}
        />
        <TextField label={texts.repeated} type="password" autoComplete="new-password" {...form.field('repeated')} />
        <CurrentSecrets form={form} has={has} />
        <div>
          <SubmitButton form={form}>{texts.savePassword}</SubmitButton>
        </div>
      </Form>
    </Card>
  )
}
