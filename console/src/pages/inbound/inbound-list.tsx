/** Inbound messages, newest first. */
import { Inbox } from 'lucide-react'
import type { AnswerOf } from '../../api/api.ts'
import { usePages } from '../../api/queries.ts'
import { AccountName } from '../../features/accounts/account-name.tsx'
import { Badge, type BadgeTone } from '../../parts/badge.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Time } from '../../parts/values.tsx'
import type { Shown } from './conversation.tsx'
import { useInboundTexts } from './texts.ts'

type Inbound = AnswerOf<'GET', '/inbound-messages'>['data'][number]
const EVERY_MS = 10_000
const TONES: Readonly<Record<NonNullable<Inbound['report']>, BadgeTone>> = {
  pending: 'info',
  sent: 'good',
  failed: 'bad',
}

interface InboundListProps {
  readonly account: number | null
  readonly open: (conversation: Shown) => void
}

export function InboundList({ account, open }: InboundListProps) {
  const texts = useInboundTexts()
  const query = account === null ? {} : { account }
  const list = usePages('/inbound-messages', { query }, { every: EVERY_MS })
  return (
    <Card flush>
      <DataTable
        caption={texts.messages}
        columns={useColumns(open)}
        list={list}
        rowKey={({ inbound, at, sender, text }) => inbound ?? `${at} ${sender} ${text}`}
        empty={
          <EmptyState icon={Inbox} title={texts.none}>
            {texts.noneHint}
          </EmptyState>
        }
      />
    </Card>
  )
}

function useColumns(open: (conversation: Shown) => void): readonly Column<Inbound>[] {
  const texts = useInboundTexts()
  return [
    { key: 'at', label: texts.at, hideOn: 'phone', cell: ({ at }) => <Time at={at} /> },
    {
      key: 'from',
      label: texts.from,
      cell: ({ sender, account }) =>
        account === null ? (
          <span className="tabular-nums">{sender}</span>
        ) : (
          <button
            type="button"
            aria-label={texts.open(sender)}
            onClick={() => open({ account, phone: sender })}
            className="rounded-sm font-medium text-accent-ink tabular-nums underline-offset-2 hover:underline"
          >
            {sender}
          </button>
        ),
    },
    {
      key: 'to',
      label: texts.to,
      hideOn: 'phone',
      cell: ({ recipient, keyword }) => (
        <>
          {recipient}
          {keyword !== null && <span className="text-muted"> · {keyword}</span>}
        </>
      ),
    },
    { key: 'text', label: texts.text, wraps: true, cell: ({ text }) => text },
    {
      key: 'account',
      label: texts.account,
      hideOn: 'tablet',
      cell: ({ account }) =>
        account === null ? <span className="text-muted">{texts.noAccount}</span> : <AccountName account={account} />,
    },
    {
      key: 'report',
      label: texts.report,
      hideOn: 'phone',
      cell: ({ report }) =>
        report === null ? (
          '–'
        ) : (
          <Badge dot tone={TONES[report]}>
            {texts.reports[report]}
          </Badge>
        ),
    },
  ]
}
