/** The logins of an account: add, change, remove. */
import { Ban, Ellipsis, LogIn, Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate, usePages } from '../../api/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Time } from '../../parts/values.tsx'
import { AddLoginDialog } from './add-login.tsx'
import { ChangeLoginDialog } from './change-login.tsx'
import type { Login } from './login.ts'
import { useLoginTexts } from './login-texts.ts'

type LoginAction = 'change' | 'remove'
type Chosen = { readonly action: 'add' } | { readonly action: LoginAction; readonly login: Login }

export function LoginsCard({ account }: { readonly account: number }) {
  const texts = useLoginTexts()
  const may = useMay()
  const list = usePages('/accounts/{account}/logins', { params: { account } })
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const close = () => setChosen(null)
  const add = may('addLogin') && (
    <Button icon={Plus} onClick={() => setChosen({ action: 'add' })}>
      {texts.add}
    </Button>
  )
  return (
    <Card title={texts.title} description={texts.description} actions={add} flush>
      <DataTable
        caption={texts.title}
        columns={columnsOf(texts, may('setLogin') ? (action, login) => setChosen({ action, login }) : null)}
        list={list}
        rowKey={({ name }) => name}
        empty={
          <EmptyState icon={LogIn} title={texts.none}>
            {texts.noneHint}
          </EmptyState>
        }
      />
      {chosen?.action === 'add' && <AddLoginDialog account={account} onClose={close} />}
      {chosen?.action === 'change' && <ChangeLoginDialog login={chosen.login} onClose={close} />}
      {chosen?.action === 'remove' && <RemoveLogin login={chosen.login} onClose={close} />}
    </Card>
  )
}

function RemoveLogin({ login, onClose }: { readonly login: Login; readonly onClose: () => void }) {
  const texts = useLoginTexts()
  const { account, name } = login
  const remove = async (key: string) => {
    await api.delete('/accounts/{account}/logins/{name}', { params: { account, name }, key })
    invalidate('/accounts/{account}/logins')
    toast(texts.removed(name))
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={texts.removeTitle(name)}
      action={texts.remove}
      typed={name}
      run={remove}
    >
      {texts.removeText}
    </ConfirmDialog>
  )
}

type Texts = ReturnType<typeof useLoginTexts>
type Act = (action: LoginAction, login: Login) => void

function columnsOf(texts: Texts, act: Act | null): readonly Column<Login>[] {
  const columns: readonly Column<Login>[] = [
    {
      key: 'name',
      label: texts.name,
      wraps: true,
      cell: ({ name, test, signs }) => (
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{name}</span>
          {test && <Badge tone="plain">{texts.testBadge}</Badge>}
          {signs && <Badge tone="info">{texts.signs}</Badge>}
        </span>
      ),
    },
    {
      key: 'type',
      label: texts.type,
      cell: ({ type, sender }) => (
        <>
          {type}
          {sender !== null && <span className="block text-sm text-muted [overflow-wrap:anywhere]">{sender}</span>}
        </>
      ),
    },
    {
      key: 'networks',
      label: texts.networks,
      hideOn: 'phone',
      cell: ({ networks }) => <span className="text-sm">{networks?.join(', ') ?? '–'}</span>,
    },
    {
      key: 'limits',
      label: texts.limits,
      hideOn: 'phone',
      cell: ({ max_binds: binds, window, per_second: perSecond }) => (
        <span className="text-sm">
          {texts.limitsOf(binds, window)}
          {perSecond !== null && <span className="block text-muted">{texts.rate(perSecond)}</span>}
        </span>
      ),
    },
    { key: 'created', label: texts.created, hideOn: 'tablet', cell: ({ created_at: at }) => <Time at={at} /> },
  ]
  if (act === null) return columns
  const actions: Column<Login> = {
    key: 'actions',
    label: texts.actionsLabel,
    hideLabel: true,
    align: 'right',
    cell: (login) => (
      <Menu trigger={<IconButton icon={Ellipsis} label={texts.actions(login.name)} />}>
        <MenuItem icon={Pencil} onSelect={() => act('change', login)}>
          {texts.change}
        </MenuItem>
        <MenuItem icon={Ban} danger onSelect={() => act('remove', login)}>
          {texts.remove}
        </MenuItem>
      </Menu>
    ),
  }
  return [...columns, actions]
}
