/** The user's passkeys: register this device, remove one. */
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { hasPasskeys, isDeclined, registerPasskey } from '../../api/passkeys.ts'
import { ApiError } from '../../api/problem.ts'
import { asRows, invalidate, useApi } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Time } from '../../parts/values.tsx'
import { useSecurityTexts } from './security-texts.ts'

type Passkey = AnswerOf<'GET', '/me/passkeys'>['data'][number]

export function Passkeys() {
  const texts = useSecurityTexts()
  const [removed, setRemoved] = useState<string | null>(null)
  const list = asRows(useApi('/me/passkeys'))
  const columns: readonly Column<Passkey>[] = [
    { key: 'name', label: texts.device, cell: ({ name }) => <span className="font-medium">{name}</span> },
    {
      key: 'created',
      label: texts.created,
      hideOn: 'phone',
      cell: ({ created_at }) => <Time at={created_at} show="relative" />,
    },
    { key: 'used', label: texts.lastUsed, cell: ({ last_used_at }) => <Time at={last_used_at} show="relative" /> },
    {
      key: 'remove',
      label: texts.remove,
      hideLabel: true,
      align: 'right',
      cell: ({ name }) => (
        <Button size="small" onClick={() => setRemoved(name)}>
          {texts.remove}
          <span className="sr-only"> {name}</span>
        </Button>
      ),
    },
  ]
  return (
    <Card title={texts.passkeys} description={texts.passkeysHint} flush>
      <DataTable
        caption={texts.passkeys}
        columns={columns}
        list={list}
        rowKey={({ name }) => name}
        empty={<EmptyState title={texts.noPasskeys} />}
      />
      <div className="border-t px-5 py-4">
        {hasPasskeys ? <AddPasskey /> : <p className="text-muted">{texts.passkeysElsewhere}</p>}
      </div>
      <ConfirmDialog
        open={removed !== null}
        onClose={() => setRemoved(null)}
        title={texts.removeTitle(removed ?? '')}
        action={texts.remove}
        danger
        run={async (key) => {
          await api.delete('/me/passkeys/{passkey}', { params: { passkey: removed ?? '' }, key })
          invalidate('/me', '/me/passkeys', '/users/{user}/tokens')
          toast(texts.passkeyRemoved)
        }}
      >
        {texts.removeText}
      </ConfirmDialog>
    </Card>
  )
}

function AddPasskey() {
  const texts = useSecurityTexts()
  const form = useForm({
    initial: { name: '' },
    send: async ({ name }) => {
      try {
        await registerPasskey(name)
      } catch (error) {
        throw isDeclined(error) ? new ApiError(400, '', texts.passkeyDeclined) : error
      }
    },
    done: () => {
      form.reset()
      invalidate('/me', '/me/passkeys')
      toast(texts.passkeyAdded)
    },
  })
  return (
    <Form form={form} className="flex max-w-sm flex-col gap-4">
      <TextField label={texts.passkeyName} hint={texts.passkeyNameHint} maxLength={100} {...form.field('name')} />
      <div>
        <SubmitButton form={form} kind="secondary">
          {texts.addPasskey}
        </SubmitButton>
      </div>
    </Form>
  )
}
