/** Hooks whose reports wait because tries failed: since when, why, and trying one now. */
import { CircleCheck, ListTree, MoreHorizontal, Play } from 'lucide-react'
import { useState } from 'react'
import type { AnswerOf } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { usePages } from '../../api/queries.ts'
import { IconButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Num, Time } from '../../parts/values.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { AccountName } from '../accounts/account-name.tsx'
import { useHookTexts } from './hook-texts.ts'
import { TryDialog, WaitingDialog } from './waiting-dialog.tsx'

type Failing = AnswerOf<'GET', '/failing-hooks'>['data'][number]
type Action = 'waiting' | 'try'
type Choose = (hook: Failing, action: Action) => void

const EVERY_MS = 15_000

export function FailingHooks({ account }: { readonly account: number | null }) {
  const texts = useHookTexts()
  const [chosen, setChosen] = useState<{ readonly hook: Failing; readonly action: Action } | null>(null)
  const list = usePages('/failing-hooks', { query: account === null ? {} : { account } }, { every: EVERY_MS })
  const close = () => setChosen(null)
  return (
    <Card title={texts.failing} description={texts.failingHint} flush>
      <DataTable
        caption={texts.failing}
        columns={useColumns((hook, action) => setChosen({ hook, action }))}
        list={list}
        rowKey={(hook) => `${hook.account} ${hook.address}`}
        empty={
          <EmptyState icon={CircleCheck} title={texts.noFailing}>
            {texts.noFailingHint}
          </EmptyState>
        }
      />
      {chosen?.action === 'waiting' && <WaitingDialog hook={chosen.hook} onClose={close} />}
      {chosen?.action === 'try' && <TryDialog hook={chosen.hook} onClose={close} />}
    </Card>
  )
}

function useColumns(choose: Choose): readonly Column<Failing>[] {
  const texts = useHookTexts()
  return [
    {
      key: 'hook',
      label: texts.address,
      cell: ({ address, account, last_error: error }) => (
        <div className="min-w-44 [overflow-wrap:anywhere]">
          <span className="font-medium">{address}</span>
          <span className="block text-sm text-muted">
            <AccountName account={account} linked />
          </span>
          <span className="block text-sm text-bad">{error !== null && gatewayText(error)}</span>
        </div>
      ),
    },
    {
      key: 'waiting',
      label: texts.waiting,
      belowOnPhone: true,
      align: 'right',
      cell: ({ waiting }) => <Num value={waiting} />,
    },
    {
      key: 'since',
      label: texts.failingSince,
      belowOnPhone: true,
      cell: ({ failing_since: at }) => <Time at={at} show="relative" />,
    },
    {
      key: 'oldest',
      label: texts.oldest,
      belowOnPhone: true,
      hideOn: 'tablet',
      cell: ({ oldest_at: at }) => <Time at={at} show="relative" />,
    },
    {
      key: 'next',
      label: texts.nextTry,
      belowOnPhone: true,
      cell: ({ next_at: at }) => (at === null ? texts.waitsFor.hook : <Time at={at} show="relative" />),
    },
    {
      key: 'actions',
      label: texts.actionsLabel,
      hideLabel: true,
      align: 'right',
      cell: (hook) => <Actions hook={hook} choose={choose} />,
    },
  ]
}

function Actions({ hook, choose }: { readonly hook: Failing; readonly choose: Choose }) {
  const texts = useHookTexts()
  const may = useMay()
  return (
    <Menu trigger={<IconButton icon={MoreHorizontal} label={texts.actions(hook.address)} />}>
      {may('tryHook') && (
        <MenuItem icon={Play} onSelect={() => choose(hook, 'try')}>
          {texts.tryNow}
        </MenuItem>
      )}
      <MenuItem icon={ListTree} onSelect={() => choose(hook, 'waiting')}>
        {texts.showWaiting}
      </MenuItem>
    </Menu>
  )
}
