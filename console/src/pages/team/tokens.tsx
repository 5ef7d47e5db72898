/** The tokens of a user: issued, shown once, revoked. */
import { KeyRound, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { invalidate, usePages } from '../../api/queries.ts'
import { IconButton } from '../../parts/button.tsx'
import { SecretPanel } from '../../parts/copy.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Time } from '../../parts/values.tsx'
import { useTeamTexts } from './texts.ts'

type Token = AnswerOf<'GET', '/users/{user}/tokens'>['data'][number]

export function Tokens({ user, onClose }: { readonly user: string; readonly onClose: () => void }) {
  const texts = useTeamTexts()
  const [issued, setIssued] = useState<string | null>(null)
  const tokens = usePages('/users/{user}/tokens', { params: { user } })
  const revoke = async (label: string) => {
    try {
      await api.delete('/users/{user}/tokens/{label}', { params: { user, label } })
      toast(texts.revoked)
    } catch (error) {
      toast((error as Error).message, 'bad')
    }
    invalidate('/users/{user}/tokens')
  }
  const form = useForm({
    initial: { label: '' },
    send: ({ label }, key) =>
      api.post('/users/{user}/tokens', { params: { user }, body: { label: label.trim() }, key }),
    done: ({ token }) => {
      setIssued(token)
      invalidate('/users/{user}/tokens')
    },
  })
  const columns: readonly Column<Token>[] = [
    { key: 'label', label: texts.label, cell: ({ label }) => label, wraps: true },
    { key: 'created', label: texts.created, hideOn: 'phone', cell: ({ created_at: at }) => <Time at={at} /> },
    {
      key: 'expires',
      label: texts.expires,
      cell: ({ expires_at: at }) => (at === null ? texts.never : <Time at={at} />),
    },
    {
      key: 'revoke',
      label: texts.revoke,
      hideLabel: true,
      align: 'right',
      cell: ({ label }) => (
        <IconButton label={`${texts.revoke}: ${label}`} icon={Trash2} onClick={() => void revoke(label)} />
      ),
    },
  ]
  return (
    <Dialog open onClose={onClose} title={texts.tokensTitle(user)} description={texts.tokensText} wide>
      <div className="flex flex-col gap-5">
        {issued !== null && <SecretPanel label={texts.issued} secret={issued} />}
        <Form form={form} className="flex flex-wrap items-start gap-3">
          <div className="grow">
            <TextField {...form.field('label')} label={texts.label} hint={texts.labelHint} />
          </div>
          <SubmitButton form={form} className="mt-6.5">
            {texts.issue}
          </SubmitButton>
        </Form>
        <div className="-mx-5 -mb-4 border-t">
          <DataTable
            caption={texts.tokens}
            columns={columns}
            list={tokens}
            rowKey={({ label }) => label}
            empty={<EmptyState icon={KeyRound} title={texts.noTokens} />}
          />
        </div>
      </div>
    </Dialog>
  )
}
