/** The hooks of an account: state, failed reports, test, resume, delete. */
import { Ellipsis, FastForward, FlaskConical, ListTree, Play, RefreshCw, Trash2, Webhook } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { messageOf } from '../../api/problem.ts'
import { invalidate, usePages } from '../../api/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { IconButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Num, Time } from '../../parts/values.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { useHookTexts } from './hook-texts.ts'
import { ResendDialog, readReportsAgain } from './resend-dialog.tsx'
import { ResumeDialog } from './resume-dialog.tsx'
import { TryDialog, WaitingDialog } from './waiting-dialog.tsx'

const EVERY_MS = 10_000
type Hook = AnswerOf<'GET', '/accounts/{account}/hooks'>['data'][number]
type Action = 'resume' | 'resend' | 'remove' | 'waiting' | 'try'
interface Chosen {
  readonly action: Action
  readonly hook: Hook
}

export function HooksCard({ account }: { readonly account: number }) {
  const texts = useHookTexts()
  const list = usePages('/accounts/{account}/hooks', { params: { account } }, { every: EVERY_MS })
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const columns: readonly Column<Hook>[] = [
    ...columnsOf(texts),
    {
      key: 'actions',
      label: texts.actionsLabel,
      hideLabel: true,
      align: 'right',
      cell: (hook) => <HookMenu account={account} hook={hook} choose={setChosen} />,
    },
  ]
  return (
    <Card title={texts.title} description={texts.description} flush>
      <DataTable
        caption={texts.title}
        columns={columns}
        list={list}
        rowKey={({ address, client_hook: id }) => `${id ?? ''} ${address}`}
        empty={
          <EmptyState icon={Webhook} title={texts.none}>
            {texts.noneHint}
          </EmptyState>
        }
      />
      {chosen !== null && <HookDialog account={account} chosen={chosen} onClose={() => setChosen(null)} />}
    </Card>
  )
}

type Texts = ReturnType<typeof useHookTexts>

function columnsOf(texts: Texts): readonly Column<Hook>[] {
  return [
    {
      key: 'address',
      label: texts.address,
      cell: ({ address, default: isDefault, client_hook: id, last_error: error }) => (
        <div className="min-w-44">
          <span className="font-medium [overflow-wrap:anywhere]">{address}</span>{' '}
          {isDefault && <Badge>{texts.isDefault}</Badge>} {id !== null && <Badge>{texts.ofClient}</Badge>}
          {error !== null && (
            <span className="block text-sm text-muted [overflow-wrap:anywhere]">{gatewayText(error)}</span>
          )}
        </div>
      ),
    },
    {
      key: 'state',
      label: texts.state,
      cell: (hook) => <HookBadge hook={hook} />,
    },
    {
      key: 'waiting',
      label: texts.waiting,
      belowOnPhone: true,
      align: 'right',

      cell: ({ waiting }) => <Num value={waiting} />,
    },
    {
      key: 'failed',
      label: texts.failed,
      belowOnPhone: true,
      align: 'right',

      cell: ({ failed }) => <Num value={failed} />,
    },
    {
      key: 'tried',
      label: texts.lastTry,
      belowOnPhone: true,
      hideOn: 'tablet',
      cell: ({ tried_at: at }) => <Time at={at} show="relative" />,
    },
  ]
}

function HookBadge({ hook: { stopped, failed, waiting, last_error: error } }: { readonly hook: Hook }) {
  const texts = useHookTexts()
  const isFailing = failed > 0 || (waiting > 0 && error !== null)
  const [tone, text] = stopped
    ? (['bad', texts.stopped] as const)
    : isFailing
      ? (['warn', texts.isFailing] as const)
      : waiting > 0
        ? (['info', texts.isWaiting] as const)
        : (['good', texts.running] as const)
  return (
    <Badge dot tone={tone}>
      {text}
    </Badge>
  )
}

interface HookMenuProps {
  readonly account: number
  readonly hook: Hook
  readonly choose: (chosen: Chosen) => void
}

function HookMenu({ account, hook, choose }: HookMenuProps) {
  const texts = useHookTexts()
  const may = useMay()
  const { client_hook: id, stopped, failed, waiting, address } = hook
  const test = async (number: number) => {
    try {
      await api.post('/accounts/{account}/client-hooks/{hook}/test', { params: { account, hook: number } })
      invalidate('/accounts/{account}/hooks')
      toast(texts.tested)
    } catch (error) {
      toast(messageOf(error), 'bad')
    }
  }
  const items = [
    id !== null && may('testClientHook') && (
      <MenuItem key="test" icon={FlaskConical} onSelect={() => void test(id)}>
        {texts.test}
      </MenuItem>
    ),
    waiting > 0 && !stopped && may('tryHook') && (
      <MenuItem key="try" icon={FastForward} onSelect={() => choose({ action: 'try', hook })}>
        {texts.tryNow}
      </MenuItem>
    ),
    waiting > 0 && (
      <MenuItem key="waiting" icon={ListTree} onSelect={() => choose({ action: 'waiting', hook })}>
        {texts.showWaiting}
      </MenuItem>
    ),
    stopped && may('resumeHook') && (
      <MenuItem key="resume" icon={Play} onSelect={() => choose({ action: 'resume', hook })}>
        {texts.resume}
      </MenuItem>
    ),
    failed > 0 && may('resendReports') && (
      <MenuItem key="resend" icon={RefreshCw} onSelect={() => choose({ action: 'resend', hook })}>
        {texts.resend}
      </MenuItem>
    ),
    id !== null && may('deleteClientHook') && (
      <MenuItem key="remove" icon={Trash2} danger onSelect={() => choose({ action: 'remove', hook })}>
        {texts.remove}
      </MenuItem>
    ),
  ].filter((item) => item !== false)
  if (items.length === 0) return null
  return <Menu trigger={<IconButton icon={Ellipsis} label={texts.actions(address)} />}>{items}</Menu>
}

interface HookDialogProps {
  readonly account: number
  readonly chosen: Chosen
  readonly onClose: () => void
}

function HookDialog({ account, chosen: { action, hook }, onClose }: HookDialogProps) {
  const { address, client_hook: id } = hook
  const named = { account, address }
  switch (action) {
    case 'resume':
      return <ResumeDialog hook={named} onClose={onClose} />
    case 'resend':
      return <ResendDialog resending={named} onClose={onClose} />
    case 'waiting':
      return <WaitingDialog hook={named} onClose={onClose} />
    case 'try':
      return <TryDialog hook={named} onClose={onClose} />
    case 'remove':
      return <RemoveDialog hook={{ ...named, id: id ?? 0 }} onClose={onClose} />
  }
}

interface RemoveDialogProps {
  readonly hook: { readonly account: number; readonly address: string; readonly id: number }
  readonly onClose: () => void
}

function RemoveDialog({ hook: { account, address, id }, onClose }: RemoveDialogProps) {
  const texts = useHookTexts()
  const run = async (key: string) => {
    await api.delete('/accounts/{account}/client-hooks/{hook}', { params: { account, hook: id }, key })
    toast(texts.removed)
    invalidate('/client-hooks')
    readReportsAgain()
  }
  return (
    <ConfirmDialog open danger onClose={onClose} title={texts.removeTitle} action={texts.remove} run={run}>
      {texts.removeText(address)}
    </ConfirmDialog>
  )
}
