/** Set up one-time codes: a picture for the authenticator app, then one of its codes as the proof that it works. */
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { messageOf } from '../../api/problem.ts'
import { invalidate } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { QrCode } from '../../parts/qr-code.tsx'
import { CurrentSecrets, currentBody, NO_CURRENT, type SecretsSet } from './current-secrets.tsx'
import { useSecurityTexts } from './security-texts.ts'

type Proposal = AnswerOf<'POST', '/me/codes'>

export function Codes({ has }: { readonly has: SecretsSet }) {
  const texts = useSecurityTexts()
  const [proposal, setProposal] = useState<Proposal | null>(null)
  const propose = () => {
    api.post('/me/codes').then(setProposal, (error: unknown) => toast(messageOf(error), 'bad'))
  }
  return (
    <Card title={texts.codes} description={has.codes ? texts.codesSet : texts.codesMissing}>
      {proposal === null ? (
        <>
          <p className="mb-4 text-muted">{texts.codesHint}</p>
          <Button kind={has.codes ? 'secondary' : 'primary'} onClick={propose}>
            {has.codes ? texts.replaceCodes : texts.startCodes}
          </Button>
        </>
      ) : (
        <KeepCodes proposal={proposal} has={has} onClose={() => setProposal(null)} />
      )}
    </Card>
  )
}

interface KeepCodesProps {
  readonly proposal: Proposal
  readonly has: SecretsSet
  readonly onClose: () => void
}

function KeepCodes({ proposal, has, onClose }: KeepCodesProps) {
  const texts = useSecurityTexts()
  const { secret, uri } = proposal
  const form = useForm({
    initial: { code: '', ...NO_CURRENT },
    send: (values) => api.put('/me/codes', { body: { secret, code: values.code, ...currentBody(values, has) } }),
    done: () => {
      invalidate('/me', '/users/{user}/tokens')
      toast(texts.codesSaved)
      onClose()
    },
  })
  return (
    <div className="flex flex-wrap gap-6">
      <div className="flex flex-col gap-3">
        <QrCode text={uri} label={texts.picture} />
      </div>
      <div className="min-w-0 max-w-sm grow basis-64">
        <p className="mb-3 text-muted">{texts.scan}</p>
        <p className="text-sm font-medium">{texts.key}</p>
        <p className="mb-4">
          <CopyText text={secret} label={texts.copyKey} />
        </p>
        <Form form={form}>
          <TextField
            label={texts.code}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={8}
            {...form.field('code')}
          />
          <CurrentSecrets form={form} has={has} />
          <div className="flex gap-2">
            <SubmitButton form={form}>{texts.saveCodes}</SubmitButton>
            <Button onClick={onClose}>{texts.cancel}</Button>
          </div>
        </Form>
      </div>
    </div>
  )
}
