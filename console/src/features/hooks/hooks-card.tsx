/** The hooks of an account: state, failed reports, test, resume, delete. */
import { Ellipsis, FlaskConical, Play, RefreshCw, Trash2, Webhook } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { messageOf } from '../../api/problem.ts'
import { invalidate, usePages } from '../../api/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { IconButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Menu, MenuItem } from '../../parts/menu.tsx'
import { Card } from '../../parts/page.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { toast } from '../../parts/toast.tsx'
import { Num, Time } from '../../parts/values.tsx'
import { useHookTexts } from './hook-texts.ts'

const EVERY_MS = 10_000
type Hook = AnswerOf<'GET', '/accounts/{account}/hooks'>['data'][number]
type Action = 'resume' | 'resend' | 'remove'
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
          {error !== null && <span className="block text-sm text-muted [overflow-wrap:anywhere]">{error}</span>}
        </div>
      ),
    },
    {
      key: 'state',
      label: texts.state,
      cell: ({ stopped }) => (
        <Badge dot tone={stopped ? 'bad' : 'good'}>
          {stopped ? texts.stopped : texts.running}
        </Badge>
      ),
    },
    { key: 'waiting', label: texts.waiting, align: 'right', cell: ({ waiting }) => <Num value={waiting} /> },
    { key: 'failed', label: texts.failed, align: 'right', cell: ({ failed }) => <Num value={failed} /> },
    {
      key: 'tried',
      label: texts.lastTry,
      hideOn: 'tablet',
      cell: ({ tried_at: at }) => <Time at={at} show="relative" />,
    },
  ]
}

interface HookMenuProps {
  readonly account: number
  readonly hook: Hook
  readonly choose: (chosen: Chosen) => void
}

function HookMenu({ account, hook, choose }: HookMenuProps) {
  const texts = useHookTexts()
  const may = useMay()
  const { client_hook: id, stopped, failed, address } = hook
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
  const texts = useHookTexts()
  const { address, client_hook: id } = hook
  const runs: Readonly<Record<Action, (key: string) => Promise<string>>> = {
    resume: async (key) => {
      await api.post('/stopped-hooks/resume', { body: { account, address }, key })
      return texts.resumed
    },
    resend: async (key) => {
      const { resent } = await api.post('/failed-reports/resend', { body: { account, address }, key })
      return texts.resent(resent)
    },
    remove: async (key) => {
      await api.delete('/accounts/{account}/client-hooks/{hook}', { params: { account, hook: id ?? 0 }, key })
      return texts.removed
    },
  }
  const run = async (key: string) => {
    toast(await runs[action](key))
    invalidate('/accounts/{account}/hooks', '/accounts/{account}', '/failed-reports/count')
  }
  return (
    <ConfirmDialog
      open
      danger={action === 'remove'}
      onClose={onClose}
      title={texts[`${action}Title`]}
      action={texts[action]}
      run={run}
    >
      {texts[`${action}Text`](address)}
    </ConfirmDialog>
  )
}
