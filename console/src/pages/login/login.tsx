/** Log in with password and code, or by a one-time sign-in link. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Building2, KeyRound } from 'lucide-react'
import { api } from '../../api/api.ts'
import { hasPasskeys, isDeclined, logInByPasskey } from '../../api/passkeys.ts'
import { queryClient, useApi } from '../../api/queries.ts'
import { leaveToLogIn } from '../../api/sso.ts'
import { Brand } from '../../frame/navigation.tsx'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { Card, PageHeader } from '../../parts/page/page.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { useTexts } from '../../texts/texts.ts'
import { useSignInLink } from './sign-in-link.ts'
import { LOGIN_DE } from './texts-de.ts'
import { LOGIN_EN } from './texts-en.ts'

const TEXTS = { en: LOGIN_EN, de: LOGIN_DE }

export function LoginPage() {
  const texts = useTexts<typeof LOGIN_EN>(TEXTS)
  const navigate = useNavigate()
  const search: { readonly return?: unknown; readonly ended?: unknown } = useSearch({ strict: false })
  const enter = () => void navigate({ to: returnPath(search.return), replace: true })
  const link = useSignInLink(enter)
  const form = useForm({
    initial: { user: '', password: '', code: '' },
    send: (values) => api.post('/session', { body: { ...values, user: values.user.trim(), cookie: true } }),
    done: () => {
      queryClient.clear()
      enter()
    },
  })
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-6 px-4 py-10">
      <Brand />
      <Card>
        <PageHeader title={texts.title} />
        {search.ended === 'yes' && link === 'none' && (
          <div className="mb-4">
            <Notice kind="info">{texts.ended}</Notice>
          </div>
        )}
        {link === 'waiting' && <p role="status">{texts.signingIn}</p>}
        {link === 'failed' && (
          <div className="mb-4">
            <Notice kind="warn">{texts.linkFailed}</Notice>
          </div>
        )}
        {typeof link === 'object' && (
          <div className="mb-4 flex flex-col gap-3">
            <Notice kind="warn">{texts.linkOfOther(link.owner, link.present)}</Notice>
            <Button kind="primary" onClick={link.confirm}>
              {texts.continueAs(link.owner)}
            </Button>
            <Button onClick={enter}>{texts.stay(link.present)}</Button>
          </div>
        )}
        <Form form={form}>
          <TextField label={texts.user} autoComplete="username" autoFocus {...form.field('user')} />
          <TextField
            label={texts.password}
            type="password"
            autoComplete="current-password"
            {...form.field('password')}
          />
          <TextField
            label={texts.code}
            hint={texts.codeHint}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={8}
            {...form.field('code')}
          />
          <SubmitButton form={form}>{texts.action}</SubmitButton>
        </Form>
        {hasPasskeys && <PasskeyLogin onDone={enter} />}
        <SsoLogin returnTo={returnPath(search.return)} />
      </Card>
      <p className="text-sm text-muted">{texts.help}</p>
    </main>
  )
}

/** Nothing unless the installation has an identity provider. */
function SsoLogin({ returnTo }: { readonly returnTo: string }) {
  const texts = useTexts<typeof LOGIN_EN>(TEXTS)
  const name = useApi('/session/sso').data?.name ?? null
  const form = useForm({ initial: {}, send: () => leaveToLogIn(returnTo) })
  if (name === null) return null
  return (
    <Form form={form} className="mt-4 flex flex-col gap-4">
      <SubmitButton form={form} kind="secondary">
        <Building2 aria-hidden className="size-4" />
        {texts.sso(name)}
      </SubmitButton>
    </Form>
  )
}

function PasskeyLogin({ onDone }: { readonly onDone: () => void }) {
  const texts = useTexts<typeof LOGIN_EN>(TEXTS)
  const form = useForm({
    initial: {},
    send: async () => {
      try {
        await logInByPasskey()
        return true
      } catch (error) {
        if (isDeclined(error)) return false
        throw error
      }
    },
    done: (isDone) => {
      if (isDone) onDone()
    },
  })
  return (
    <Form form={form} className="mt-4 flex flex-col gap-4">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
        {texts.or}
      </p>
      <SubmitButton form={form} kind="secondary">
        <KeyRound aria-hidden className="size-4" />
        {texts.passkey}
      </SubmitButton>
    </Form>
  )
}

/** Only paths of the console: an address of another host in a link must not be followed. */
function returnPath(path: unknown): string {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : '/'
}
