/** Users of the admin API: roles, state, tokens, sign-in links. */
import { Ellipsis, KeyRound, Link2, Lock, LockOpen, ShieldOff, UserCog, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate, useApi, usePages } from '../../api/queries.ts'
import { AccountName } from '../../features/accounts/account-name.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card, PageHeader } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { SignInLink } from './sign-in-link.tsx'
import { useTeamTexts } from './texts.ts'
import { Tokens } from './tokens.tsx'
import { UserDialog } from './user-dialog.tsx'

export type User = AnswerOf<'GET', '/users'>['data'][number]
type Action = 'role' | 'state' | 'codes' | 'link' | 'tokens'
interface Chosen {
  readonly user: User
  readonly action: Action
}

export function Page() {
  const texts = useTeamTexts()
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const users = usePages('/users')
  const sso = useApi('/session/sso').data
  const add = may('addUser') && (
    <Button kind="primary" icon={UserPlus} onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  )
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} actions={add} />
      <Card flush>
        <DataTable
          caption={texts.list}
          columns={useColumns(setChosen)}
          list={users}
          rowKey={({ user }) => user}
          empty={<EmptyState icon={Users} title={texts.none} action={add} />}
        />
      </Card>
      {sso?.name === null && may('applyConfiguration') && <p className="mt-3 text-sm text-muted">{texts.ssoOff}</p>}
      {isAdding && <UserDialog user={null} onClose={() => setAdding(false)} />}
      {chosen !== null && <ChosenDialog {...chosen} onClose={() => setChosen(null)} />}
    </>
  )
}

function useColumns(choose: (chosen: Chosen) => void): readonly Column<User>[] {
  const texts = useTeamTexts()
  const may = useMay()
  return [
    {
      key: 'user',
      label: texts.user,
      wraps: true,
      cell: ({ user, account }) => (
        <>
          <span className="font-medium">{user}</span>
          {account !== null && (
            <div className="text-sm text-muted">
              <AccountName account={account} linked />
            </div>
          )}
        </>
      ),
    },
    { key: 'role', label: texts.role, cell: ({ role }) => texts.roles[role] },
    { key: 'login', label: texts.login, hideOn: 'phone', cell: (user) => loginOf(user, texts) },
    {
      key: 'state',
      label: texts.state,
      cell: ({ state }) => <Badge tone={state === 'active' ? 'good' : 'plain'}>{texts[state]}</Badge>,
    },
    ...(may('changeUser')
      ? [
          {
            key: 'actions',
            label: texts.tokens,
            hideLabel: true,
            align: 'right' as const,
            cell: (user: User) => <UserMenu user={user} choose={(action) => choose({ user, action })} />,
          },
        ]
      : []),
  ]
}

function loginOf({ password, codes, subject }: User, texts: ReturnType<typeof useTeamTexts>): string {
  if (subject !== null) return texts.sso
  if (password) return codes ? texts.ready : texts.passwordOnly
  return codes ? texts.codesOnly : texts.noLogin
}

interface UserMenuProps {
  readonly user: User
  readonly choose: (action: Action) => void
}

function UserMenu({ user: { user, state, codes }, choose }: UserMenuProps) {
  const texts = useTeamTexts()
  return (
    <Menu trigger={<IconButton label={texts.actions(user)} icon={Ellipsis} />}>
      <MenuItem icon={Link2} onSelect={() => choose('link')} disabled={state === 'disabled'}>
        {texts.link}
      </MenuItem>
      <MenuItem icon={KeyRound} onSelect={() => choose('tokens')}>
        {texts.tokens}
      </MenuItem>
      <MenuItem icon={UserCog} onSelect={() => choose('role')}>
        {texts.changeRole}
      </MenuItem>
      {codes && (
        <MenuItem icon={ShieldOff} onSelect={() => choose('codes')}>
          {texts.removeCodes}
        </MenuItem>
      )}
      <MenuItem icon={state === 'active' ? Lock : LockOpen} onSelect={() => choose('state')}>
        {state === 'active' ? texts.disable : texts.enable}
      </MenuItem>
    </Menu>
  )
}

function ChosenDialog({ user: row, action, onClose }: Chosen & { readonly onClose: () => void }) {
  const texts = useTeamTexts()
  const { user, state } = row
  const params = { user }
  switch (action) {
    case 'link':
      return <SignInLink user={user} onClose={onClose} />
    case 'tokens':
      return <Tokens user={user} onClose={onClose} />
    case 'role':
      return <UserDialog user={row} onClose={onClose} />
    case 'codes':
      return (
        <ConfirmDialog
          open
          onClose={onClose}
          title={`${texts.removeCodes}: ${user}`}
          action={texts.removeCodes}
          danger
          run={async (key) => {
            await api.delete('/users/{user}/codes', { params, key })
            invalidate('/users')
            toast(texts.codesRemoved)
          }}
        >
          {texts.removeCodesText}
        </ConfirmDialog>
      )
    case 'state': {
      const isActive = state === 'active'
      const verb = isActive ? texts.disable : texts.enable
      return (
        <ConfirmDialog
          open
          onClose={onClose}
          title={`${verb}: ${user}`}
          action={verb}
          danger={isActive}
          run={async (key) => {
            await api.patch('/users/{user}', { params, body: { state: isActive ? 'disabled' : 'active' }, key })
            invalidate('/users')
            toast(texts.stateChanged(user))
          }}
        >
          {isActive ? texts.disableText : texts.enableText}
        </ConfirmDialog>
      )
    }
  }
}
