/** The API keys of an account: issue, change scopes, rotate, revoke. */
import { Ban, Ellipsis, KeyRound, ListChecks, Plus, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate, usePages } from '../../api/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { useAskedDialog } from '../../parts/overlay/asked-dialog.ts'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Time } from '../../parts/values.tsx'
import { KeyRightsDialog, RotateKeyDialog } from './change-key.tsx'
import { IssueKeyDialog } from './issue-key.tsx'
import { type Key, SCOPES } from './key.ts'
import { useKeyTexts } from './key-texts.ts'

type KeyAction = 'rights' | 'rotate' | 'revoke'
type Chosen = { readonly action: 'issue' } | { readonly action: KeyAction; readonly key: Key }

export function KeysCard({ account }: { readonly account: number }) {
  const texts = useKeyTexts()
  const may = useMay()
  const list = usePages('/accounts/{account}/keys', { params: { account } })
  const [chosen, setChosen] = useState<Chosen | null>(useAskedDialog('key') ? { action: 'issue' } : null)
  const close = () => setChosen(null)
  const issue = may('issueKey') && (
    <Button kind="primary" icon={Plus} onClick={() => setChosen({ action: 'issue' })}>
      {texts.issue}
    </Button>
  )
  return (
    <Card title={texts.title} description={texts.description} actions={issue} flush>
      <DataTable
        caption={texts.title}
        columns={columnsOf(texts, may('rotateKey') ? (action, key) => setChosen({ action, key }) : null)}
        list={list}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={KeyRound} title={texts.none}>
            {texts.noneHint}
          </EmptyState>
        }
      />
      {chosen?.action === 'issue' && <IssueKeyDialog account={account} onClose={close} />}
      {chosen?.action === 'rotate' && <RotateKeyDialog issuedKey={chosen.key} onClose={close} />}
      {chosen?.action === 'rights' && <KeyRightsDialog issuedKey={chosen.key} onClose={close} />}
      {chosen?.action === 'revoke' && <RevokeKey issuedKey={chosen.key} onClose={close} />}
    </Card>
  )
}

function RevokeKey({ issuedKey, onClose }: { readonly issuedKey: Key; readonly onClose: () => void }) {
  const texts = useKeyTexts()
  const { account, id, name } = issuedKey
  const revoke = async (key: string) => {
    await api.delete('/accounts/{account}/keys/{name}', { params: { account, name: id }, key })
    invalidate('/accounts/{account}/keys', '/accounts/{account}')
    toast(texts.revoked(name))
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={texts.revokeTitle(name)}
      action={texts.revoke}
      typed={name}
      run={revoke}
    >
      {texts.revokeText}
    </ConfirmDialog>
  )
}

type Texts = ReturnType<typeof useKeyTexts>
type Act = (action: KeyAction, key: Key) => void

function columnsOf(texts: Texts, act: Act | null): readonly Column<Key>[] {
  const columns: readonly Column<Key>[] = [
    {
      key: 'name',
      label: texts.name,
      wraps: true,
      cell: ({ name, id }) => (
        <>
          <span className="font-medium">{name}</span>
          <code className="block font-mono text-xs text-muted">{id}</code>
        </>
      ),
    },
    {
      key: 'kind',
      label: texts.kind,
      cell: ({ test }) => <Badge tone={test ? 'plain' : 'info'}>{test ? texts.testBadge : texts.liveBadge}</Badge>,
    },
    { key: 'scopes', label: texts.scopes, hideOn: 'tablet', cell: (key) => <Rights issuedKey={key} /> },
    { key: 'created', label: texts.created, hideOn: 'tablet', cell: ({ created_at: at }) => <Time at={at} /> },
    {
      key: 'used',
      label: texts.lastUsed,
      hideOn: 'phone',
      cell: ({ last_used_at: at }) =>
        at === null ? <span className="text-muted">{texts.unused}</span> : <Time at={at} show="relative" />,
    },
    { key: 'expires', label: texts.expires, hideOn: 'phone', cell: (key) => <Expiry issuedKey={key} /> },
  ]
  if (act === null) return columns
  const actions: Column<Key> = {
    key: 'actions',
    label: texts.actionsLabel,
    hideLabel: true,
    align: 'right',
    cell: (key) => (
      <Menu trigger={<IconButton icon={Ellipsis} label={texts.actions(key.name)} />}>
        <MenuItem icon={RotateCw} onSelect={() => act('rotate', key)}>
          {texts.rotate}
        </MenuItem>
        <MenuItem icon={ListChecks} onSelect={() => act('rights', key)}>
          {texts.changeRights}
        </MenuItem>
        <MenuItem icon={Ban} danger onSelect={() => act('revoke', key)}>
          {texts.revoke}
        </MenuItem>
      </Menu>
    ),
  }
  return [...columns, actions]
}

function Rights({ issuedKey }: { readonly issuedKey: Key }) {
  const texts = useKeyTexts()
  const { scopes, networks, operations_per_second: perSecond, priority } = issuedKey
  const isAll = scopes.length === SCOPES.length
  const narrowed = [...(networks ?? []), ...(perSecond === null ? [] : [texts.rate(perSecond)])]
  if (priority !== null) narrowed.push(texts.classes[priority])
  return (
    <span className="text-sm">
      {isAll ? texts.allScopes : scopes.map((scope) => texts.scope[scope]).join(', ')}
      {narrowed.length > 0 && <span className="block text-muted">{narrowed.join(', ')}</span>}
    </span>
  )
}

function Expiry({ issuedKey: { expires_at: at } }: { readonly issuedKey: Key }) {
  const texts = useKeyTexts()
  if (at === null) return texts.never
  return new Date(at).getTime() < Date.now() ? <Badge tone="bad">{texts.expired}</Badge> : <Time at={at} />
}
