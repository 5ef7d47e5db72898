/** The user's sessions and tokens, for roles that may list them. */
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { invalidate, usePages } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { Time } from '../../parts/values.tsx'
import { useSecurityTexts } from './security-texts.ts'

type Token = AnswerOf<'GET', '/users/{user}/tokens'>['data'][number]

interface SessionsProps {
  readonly user: string
  readonly mayRevoke: boolean
}

export function Sessions({ user, mayRevoke }: SessionsProps) {
  const texts = useSecurityTexts()
  const [revoked, setRevoked] = useState<string | null>(null)
  const list = usePages('/users/{user}/tokens', { params: { user } })
  const columns: readonly Column<Token>[] = [
    { key: 'label', label: texts.label, cell: ({ label }) => <span className="font-medium">{label}</span> },
    {
      key: 'created',
      label: texts.created,
      hideOn: 'phone',
      cell: ({ created_at }) => <Time at={created_at} show="relative" />,
    },
    { key: 'ends', label: texts.ends, cell: ({ expires_at }) => <Time at={expires_at} show="relative" /> },
    ...(mayRevoke
      ? [
          {
            key: 'revoke',
            label: texts.revoke,
            hideLabel: true,
            align: 'right' as const,
            cell: ({ label }: Token) => (
              <Button size="small" onClick={() => setRevoked(label)}>
                {texts.revoke}
                <span className="sr-only"> {label}</span>
              </Button>
            ),
          },
        ]
      : []),
  ]
  return (
    <Card title={texts.sessions} flush>
      <DataTable caption={texts.sessions} columns={columns} list={list} rowKey={({ label }) => label} />
      <ConfirmDialog
        open={revoked !== null}
        onClose={() => setRevoked(null)}
        title={texts.revokeTitle(revoked ?? '')}
        action={texts.revoke}
        danger
        run={async (key) => {
          await api.delete('/users/{user}/tokens/{label}', { params: { user, label: revoked ?? '' }, key })
          invalidate('/users/{user}/tokens')
          toast(texts.revoked)
        }}
      >
        {texts.revokeText}
      </ConfirmDialog>
    </Card>
  )
}
