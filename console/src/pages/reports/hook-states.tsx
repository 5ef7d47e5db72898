/** The hooks of one account, with the reports that wait for them or have failed. */
import { RotateCcw, Webhook } from 'lucide-react'
import { useState } from 'react'
import type { AnswerOf } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { usePages } from '../../api/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Card } from '../../parts/page.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { Num, Time } from '../../parts/values.tsx'
import { ResendDialog } from './resend-dialogs.tsx'
import { ResumeDialog } from './stopped-hooks.tsx'
import { useReportTexts } from './texts.ts'

type HookState = AnswerOf<'GET', '/accounts/{account}/hooks'>['data'][number]
interface Chosen {
  readonly address: string
  readonly action: 'resend' | 'resume'
}
const EVERY_MS = 15_000

export function HookStates({ account }: { readonly account: number | null }) {
  const texts = useReportTexts()
  if (account !== null) return <HooksOf account={account} />
  return (
    <Card>
      <EmptyState icon={Webhook} title={texts.chooseAccount}>
        {texts.chooseAccountHint}
      </EmptyState>
    </Card>
  )
}

function HooksOf({ account }: { readonly account: number }) {
  const texts = useReportTexts()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const list = usePages('/accounts/{account}/hooks', { params: { account } }, { every: EVERY_MS })
  const close = () => setChosen(null)
  return (
    <Card title={texts.hooks} flush>
      <DataTable
        caption={texts.hooks}
        columns={useColumns(setChosen)}
        list={list}
        rowKey={({ address }) => address}
        empty={
          <EmptyState icon={Webhook} title={texts.noHooks}>
            {texts.noHooksHint}
          </EmptyState>
        }
      />
      <ResendDialog
        resending={chosen?.action === 'resend' ? { account, address: chosen.address } : null}
        onClose={close}
      />
      {chosen?.action === 'resume' && <ResumeDialog hook={{ account, address: chosen.address }} onClose={close} />}
    </Card>
  )
}

function useColumns(choose: (chosen: Chosen) => void): readonly Column<HookState>[] {
  const texts = useReportTexts()
  return [
    {
      key: 'hook',
      label: texts.hook,
      className: '[overflow-wrap:anywhere]',
      cell: (hook) => (
        <>
          <span className="font-medium">{hook.address}</span>
          {(hook.default || hook.client_hook !== null) && (
            <div className="text-sm text-muted">
              {hook.default ? texts.defaultHook : texts.clientHook(hook.client_hook ?? 0)}
            </div>
          )}
          <div className="mt-1 sm:hidden">
            <HookBadge hook={hook} />
          </div>
        </>
      ),
    },
    { key: 'state', label: texts.state, hideOn: 'phone', cell: (hook) => <HookBadge hook={hook} /> },
    {
      key: 'failed',
      label: texts.failedColumn,
      align: 'right',
      hideOn: 'phone',
      cell: ({ failed }) => <Num value={failed} />,
    },
    {
      key: 'waiting',
      label: texts.waitingColumn,
      align: 'right',
      hideOn: 'phone',
      cell: ({ waiting }) => <Num value={waiting} />,
    },
    {
      key: 'error',
      label: texts.lastError,
      hideOn: 'tablet',
      className: 'text-muted [overflow-wrap:anywhere]',
      cell: ({ last_error: error, tried_at: at }) =>
        error === null ? (
          '–'
        ) : (
          <>
            {error} · <Time at={at} show="relative" />
          </>
        ),
    },
    {
      key: 'actions',
      label: texts.actions,
      hideLabel: true,
      align: 'right',
      cell: (hook) => <Actions hook={hook} choose={choose} />,
    },
  ]
}

function HookBadge({ hook: { stopped, failed, waiting } }: { readonly hook: HookState }) {
  const texts = useReportTexts()
  const [tone, text] = stopped
    ? (['bad', texts.isStopped] as const)
    : failed > 0
      ? (['warn', texts.isFailing] as const)
      : waiting > 0
        ? (['info', texts.isWaiting] as const)
        : (['good', texts.isFine] as const)
  return (
    <Badge dot tone={tone}>
      {text}
    </Badge>
  )
}

interface ActionsProps {
  readonly hook: HookState
  readonly choose: (chosen: Chosen) => void
}

function Actions({ hook: { address, stopped, failed }, choose }: ActionsProps) {
  const texts = useReportTexts()
  const may = useMay()
  if (stopped) {
    if (!may('resumeHook')) return null
    return (
      <Button size="small" onClick={() => choose({ address, action: 'resume' })}>
        {texts.resume}
      </Button>
    )
  }
  if (failed === 0 || !may('resendReports')) return null
  return (
    <Button size="small" icon={RotateCcw} onClick={() => choose({ address, action: 'resend' })}>
      {texts.resend}
    </Button>
  )
}
