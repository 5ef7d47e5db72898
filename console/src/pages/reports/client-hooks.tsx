/** Hooks that clients manage through the API: test one, or delete it. */
import { Send, Trash2, Webhook } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate, useApi, usePages } from '../../api/queries.ts'
import { AccountName } from '../../features/accounts/account-name.tsx'
import { readReportsAgain } from '../../features/hooks/resend-dialog.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Time } from '../../parts/values.tsx'
import { useReportTexts } from './texts.ts'

/** As often as the list of failing hooks. */
const EVERY_MS = 15_000

type ClientHook = AnswerOf<'GET', '/client-hooks'>['data'][number]

export function ClientHooks({ account }: { readonly account: number | null }) {
  const texts = useReportTexts()
  const [removed, setRemoved] = useState<ClientHook | null>(null)
  const query = account === null ? {} : { account }
  const list = usePages('/client-hooks', { query })
  const failing = useApi('/failing-hooks', { query }, { every: EVERY_MS }).data?.data ?? []
  const isFailing = new Set(failing.map((each) => `${each.account} ${each.address}`))
  return (
    <Card title={texts.managed} flush>
      <DataTable
        caption={texts.managed}
        columns={useColumns({
          remove: setRemoved,
          isFailing: (hook) => isFailing.has(`${hook.account} ${hook.address.split('?')[0]}`),
        })}
        list={list}
        rowKey={(hook) => `${hook.account} ${hook.hook}`}
        empty={
          <EmptyState icon={Webhook} title={texts.noManaged}>
            {texts.noManagedHint}
          </EmptyState>
        }
      />
      {removed !== null && (
        <ConfirmDialog
          open
          onClose={() => setRemoved(null)}
          title={texts.removeTitle(removed.hook, removed.account)}
          action={texts.remove}
          danger
          run={async (key) => {
            const { account: owner, hook } = removed
            await api.delete('/accounts/{account}/client-hooks/{hook}', { params: { account: owner, hook }, key })
            toast(texts.removed)
            invalidate('/client-hooks')
            readReportsAgain()
          }}
        >
          <span className="[overflow-wrap:anywhere]">{texts.removeText(removed.address)}</span>
        </ConfirmDialog>
      )}
    </Card>
  )
}

interface RowUse {
  readonly remove: (hook: ClientHook) => void
  readonly isFailing: (hook: ClientHook) => boolean
}

function useColumns({ remove, isFailing }: RowUse): readonly Column<ClientHook>[] {
  const texts = useReportTexts()
  const may = useMay()
  return [
    {
      key: 'hook',
      label: texts.hook,
      wraps: true,
      cell: ({ hook, address, description }) => (
        <>
          <span className="font-medium">{address}</span>
          <div className="text-sm text-muted">
            {hook}
            {description !== null && ` · ${description}`}
          </div>
        </>
      ),
    },
    {
      key: 'account',
      label: texts.account,
      belowOnPhone: true,
      cell: ({ account }) => <AccountName account={account} />,
      hideOn: 'tablet',
    },
    {
      key: 'events',
      label: texts.events,
      belowOnPhone: true,
      hideOn: 'tablet',
      className: 'text-muted',
      cell: ({ events }) => events?.join(', ') ?? texts.allEvents,
    },
    {
      key: 'state',
      label: texts.state,
      belowOnPhone: true,
      cell: (hook) => {
        if (hook.stopped) return <StateBadge tone="bad" text={texts.isStopped} />
        if (isFailing(hook)) return <StateBadge tone="warn" text={texts.isFailing} />
        return <StateBadge tone="good" text={texts.isFine} />
      },
    },
    {
      key: 'created',
      label: texts.createdHook,
      belowOnPhone: true,
      hideOn: 'tablet',
      cell: ({ created_at: at }) => <Time at={at} show="relative" />,
    },
    {
      key: 'actions',
      label: texts.actions,
      hideLabel: true,
      align: 'right',
      cell: (hook) => (
        <span className="inline-flex items-center gap-1">
          {may('testClientHook') && <TestButton {...hook} />}
          {may('deleteClientHook') && (
            <IconButton label={`${texts.remove}: ${hook.address}`} icon={Trash2} onClick={() => remove(hook)} />
          )}
        </span>
      ),
    },
  ]
}

function StateBadge({ tone, text }: { readonly tone: 'good' | 'warn' | 'bad'; readonly text: string }) {
  return (
    <Badge dot tone={tone}>
      {text}
    </Badge>
  )
}

function TestButton({ account, hook }: Pick<ClientHook, 'account' | 'hook'>) {
  const texts = useReportTexts()
  const [isBusy, setBusy] = useState(false)
  const test = async () => {
    setBusy(true)
    try {
      await api.post('/accounts/{account}/client-hooks/{hook}/test', { params: { account, hook } })
      toast(texts.tested)
    } catch (error) {
      toast((error as Error).message, 'bad')
    }
    setBusy(false)
    readReportsAgain()
  }
  return (
    <Button size="small" icon={Send} busy={isBusy} onClick={() => void test()}>
      {texts.test}
    </Button>
  )
}
