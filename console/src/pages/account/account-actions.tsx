/** Suspends, activates and closes an account. */
import { ChevronDown, CirclePause, CirclePlay, CircleX } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/overlay/menu.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useAccountPageTexts } from './account-texts.ts'
import type { Account } from './setting-fields.ts'

type Action = 'suspend' | 'activate' | 'close'

export function AccountActions({ account }: { readonly account: Account }) {
  const texts = useAccountPageTexts()
  const may = useMay()
  const [chosen, setChosen] = useState<Action | null>(null)
  const close = () => setChosen(null)
  if (!may('changeAccount') || account.state === 'closed') return null
  return (
    <>
      <Menu
        trigger={
          <Button>
            {texts.actions}
            <ChevronDown aria-hidden className="size-4" />
          </Button>
        }
      >
        {account.state === 'active' ? (
          <MenuItem icon={CirclePause} onSelect={() => setChosen('suspend')}>
            {texts.suspend}
          </MenuItem>
        ) : (
          <MenuItem icon={CirclePlay} onSelect={() => setChosen('activate')}>
            {texts.activate}
          </MenuItem>
        )}
        <MenuLine />
        <MenuItem icon={CircleX} danger onSelect={() => setChosen('close')}>
          {texts.close}
        </MenuItem>
      </Menu>
      {chosen === 'close' && <CloseAccount account={account} onClose={close} />}
      {(chosen === 'suspend' || chosen === 'activate') && (
        <SwitchAccount account={account} action={chosen} onClose={close} />
      )}
    </>
  )
}

interface ActionProps {
  readonly account: Account
  readonly onClose: () => void
}

function SwitchAccount({ account, action, onClose }: ActionProps & { readonly action: 'suspend' | 'activate' }) {
  const texts = useAccountPageTexts()
  const { account: number, name } = account
  const isSuspension = action === 'suspend'
  const run = async (key: string) => {
    const state = isSuspension ? 'suspended' : 'active'
    await api.patch('/accounts/{account}', { params: { account: number }, body: { state }, key })
    invalidate('/accounts/{account}', '/accounts')
    toast(isSuspension ? texts.suspended(name) : texts.activated(name))
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={isSuspension ? texts.suspendTitle(name) : texts.activateTitle(name)}
      action={texts[action]}
      danger={isSuspension}
      run={run}
    >
      {isSuspension ? texts.suspendText : texts.activateText}
    </ConfirmDialog>
  )
}

function CloseAccount({ account, onClose }: ActionProps) {
  const texts = useAccountPageTexts()
  const formats = useFormats()
  const { account: number, name } = account
  const run = async (key: string) => {
    const closed = await api.post('/accounts/{account}/closing', { params: { account: number }, body: { name }, key })
    invalidate('/accounts/{account}', '/accounts', '/accounts/{account}/keys')
    toast(texts.closed(name, formats.money(closed.available, closed.currency)))
  }
  return (
    <ConfirmDialog open onClose={onClose} title={texts.closeTitle(name)} action={texts.close} typed={name} run={run}>
      {texts.closeText}
    </ConfirmDialog>
  )
}
