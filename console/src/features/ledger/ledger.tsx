/** The money of an account: balance, actions, statement of a month, postings. */
import { BadgeEuro, Plus } from 'lucide-react'
import { useState } from 'react'
import type { AnswerOf } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { useApi, usePages } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { ChannelName } from '../../parts/channel.tsx'
import { Stat, Stats } from '../../parts/charts/stat.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { useAskedDialog } from '../../parts/overlay/asked-dialog.ts'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Money, Time } from '../../parts/values.tsx'
import { useLedgerTexts } from './ledger-texts.ts'
import { CorrectionDialog, CreditLimitDialog, TopUpDialog } from './money-dialogs.tsx'
import { StatementCard } from './statement.tsx'

const EVERY_MS = 10_000
type Posting = AnswerOf<'GET', '/accounts/{account}/postings'>['data'][number]

interface LedgerProps {
  readonly account: number
  readonly currency: string
}

export function Ledger({ account, currency }: LedgerProps) {
  return (
    <div className="flex flex-col gap-5">
      <BalanceStats account={account} currency={currency} />
      <StatementCard account={account} />
      <PostingsCard account={account} currency={currency} />
    </div>
  )
}

function BalanceStats({ account, currency }: LedgerProps) {
  const texts = useLedgerTexts()
  const may = useMay()
  const { data } = useApi('/accounts/{account}/balance', { params: { account } }, { every: EVERY_MS })
  const [chosen, setChosen] = useState<'top-up' | 'correct' | 'limit' | null>(
    useAskedDialog('top-up') ? 'top-up' : null,
  )
  const close = () => setChosen(null)
  const money = (amount: number | undefined) => <Money as="headline" {...{ amount, currency }} />
  return (
    <>
      <Stats>
        <Stat label={texts.available} value={money(data?.available)} />
        <Stat label={texts.held} value={money(data?.held)} />
        <Stat label={texts.spent} value={money(data?.spent)} />
        <Stat label={texts.limit} value={money(data?.credit_limit)} />
      </Stats>
      {may('topUp') && (
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" icon={Plus} onClick={() => setChosen('top-up')}>
            {texts.topUp}
          </Button>
          <Button onClick={() => setChosen('correct')}>{texts.correct}</Button>
          <Button disabled={data === undefined} onClick={() => setChosen('limit')}>
            {texts.limit}
          </Button>
        </div>
      )}
      {chosen === 'top-up' && <TopUpDialog {...{ account, currency }} onClose={close} />}
      {chosen === 'correct' && <CorrectionDialog {...{ account, currency }} onClose={close} />}
      {chosen === 'limit' && data !== undefined && (
        <CreditLimitDialog {...{ account, currency }} limit={data.credit_limit} onClose={close} />
      )}
    </>
  )
}

function PostingsCard({ account, currency }: LedgerProps) {
  const texts = useLedgerTexts()
  const list = usePages('/accounts/{account}/postings', { params: { account } })
  // A posting has no id; its place in the list is stable until the list is read again.
  const rows = list.rows?.map((posting, index) => ({ ...posting, index }))
  const columns: readonly Column<Posting>[] = [
    { key: 'time', label: texts.time, cell: ({ at }) => <Time at={at} /> },
    { key: 'kind', label: texts.kind, cell: ({ kind }) => texts.kinds[kind as keyof typeof texts.kinds] ?? kind },
    { key: 'about', label: texts.about, hideOn: 'phone', cell: (posting) => <About posting={posting} /> },
    {
      key: 'amount',
      label: texts.value,
      money: ({ kind, amount }) => [
        { amount: kind === 'charge' ? -amount : amount, currency, signed: kind !== 'hold' && kind !== 'release' },
      ],
    },
  ]
  return (
    <Card title={texts.postings} description={texts.postingsHint} flush>
      <DataTable
        caption={texts.postings}
        columns={columns}
        list={{ ...list, rows }}
        rowKey={(row) => (row as Posting & { readonly index: number }).index}
        empty={
          <EmptyState icon={BadgeEuro} title={texts.noPostings}>
            {texts.noPostingsHint}
          </EmptyState>
        }
      />
    </Card>
  )
}

function About({ posting }: { readonly posting: Posting }) {
  const texts = useLedgerTexts()
  const { message, channel, operator, parts, by = null, note } = posting
  const facts = [
    operator,
    parts === null || parts === 0 ? null : texts.parts(parts),
    note,
    by === null ? null : texts.by(by),
  ]
  const more = facts.filter((fact) => fact !== null && fact !== '').join(' · ')
  return (
    <span className="[overflow-wrap:anywhere]">
      {message !== null && (
        <TextLink to={`/messages/${message}`} className="underline">
          {texts.message(message)}
        </TextLink>
      )}
      {channel !== null && (
        <>
          {message !== null && ' · '}
          <ChannelName channel={channel} />
        </>
      )}
      {more !== '' && (
        <span className="text-muted">
          {(message !== null || channel !== null) && ' · '}
          {more}
        </span>
      )}
    </span>
  )
}
