/** The list of bulks, of all accounts or of one. */
import { Layers, Plus } from 'lucide-react'
import type { AnswerOf } from '../../api/api.ts'
import { useMay, useMe } from '../../api/me.ts'
import { usePages } from '../../api/queries.ts'
import { AccountName } from '../../features/accounts/account-name.tsx'
import { AccountPicker } from '../../features/accounts/account-picker.tsx'
import { BulkBadge } from '../../features/bulks/bulk-badge.tsx'
import { doneOf } from '../../features/bulks/done.ts'
import { MakerName } from '../../features/bulks/maker-name.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { channelName } from '../../parts/channel.tsx'
import { ShareBar } from '../../parts/charts/share-bar.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Filters, SelectFilter } from '../../parts/list/filters.tsx'
import { urlChoice, urlNumber, useUrlState } from '../../parts/list/url-state.ts'
import { Card, PageHeader } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Money, Num, Time } from '../../parts/values.tsx'
import { usePreferences } from '../../texts/language.ts'
import { useTexts } from '../../texts/texts.ts'
import { LIST_DE } from './texts-de.ts'
import { LIST_EN } from './texts-en.ts'

const TEXTS = { en: LIST_EN, de: LIST_DE }
const FIELDS = { account: urlNumber(), kind: urlChoice(['', 'live', 'test'], ''), state: urlChoice(['', 'open'], '') }
const EVERY_MS = 5_000
type Bulk = AnswerOf<'GET', '/bulks'>['data'][number]

export function Page() {
  const texts = useTexts<typeof LIST_EN>(TEXTS)
  const may = useMay()
  const [{ account, kind, state }, change] = useUrlState(FIELDS)
  const query = {
    ...(account === null ? {} : { account }),
    ...(kind === '' ? {} : { test: kind === 'test' }),
    ...(state === '' ? {} : { open: true }),
  }
  const list = usePages('/bulks', { query }, { every: EVERY_MS })
  const isFiltered = kind !== '' || state !== ''
  const create = may('createBulk') && (
    <LinkButton
      to="/bulks/new"
      search={account === null ? {} : { account: String(account) }}
      kind="primary"
      icon={Plus}
    >
      {texts.create}
    </LinkButton>
  )
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} actions={create} />
      <AccountPicker account={account} onAccount={(chosen) => change({ account: chosen })} />
      <Card flush>
        <Filters isFiltered={isFiltered} onClear={() => change({ kind: '', state: '' })}>
          <SelectFilter
            label={texts.all}
            value={state}
            choices={[{ value: 'open', label: texts.open }]}
            onValue={(value) => change({ state: value })}
          />
          <SelectFilter
            label={texts.anyKind}
            value={kind}
            choices={(['live', 'test'] as const).map((value) => ({ value, label: texts.kinds[value] }))}
            onValue={(value) => change({ kind: value })}
          />
        </Filters>
        <DataTable
          caption={texts.title}
          columns={useColumns()}
          list={list}
          rowKey={({ bulk }) => bulk}
          rowTo={pathOf}
          empty={
            isFiltered ? (
              <EmptyState icon={Layers} title={texts.noMatch}>
                {texts.noMatchHint}
              </EmptyState>
            ) : (
              <EmptyState icon={Layers} title={texts.none} action={create}>
                {texts.noneHint}
              </EmptyState>
            )
          }
        />
      </Card>
    </>
  )
}

function pathOf({ account, bulk }: Bulk): string {
  return `/bulks/${account}/${bulk}`
}

function useColumns(): readonly Column<Bulk>[] {
  const texts = useTexts<typeof LIST_EN>(TEXTS)
  const { language } = usePreferences()
  const isClient = useMe()?.account != null
  const account: Column<Bulk> = {
    key: 'account',
    label: texts.account,
    cell: ({ account: of }) => <AccountName account={of} linked />,
  }
  return [
    {
      key: 'bulk',
      label: texts.bulk,
      cell: (bulk) => (
        <TextLink to={pathOf(bulk)} className="font-medium tabular-nums">
          {bulk.bulk}
        </TextLink>
      ),
    },
    ...(isClient ? [] : [account]),
    {
      key: 'message',
      label: texts.message,
      wraps: true,
      belowOnPhone: true,
      cell: ({ channels, senders, text }) => (
        <span className="flex max-w-80 min-w-0 flex-col">
          {text !== null && (
            <span title={text} className="truncate">
              {text}
            </span>
          )}
          <span className="text-sm text-muted">
            {[...channels.map((channel) => channelName(channel, language)), ...senders].join(' · ')}
          </span>
        </span>
      ),
    },
    { key: 'state', label: texts.state, cell: ({ state, test }) => <BulkBadge state={state} test={test} /> },
    {
      key: 'progress',
      label: texts.progress,
      align: 'right',
      belowOnPhone: true,
      cell: ({ waiting, accepted }) => <ShareBar share={doneOf(waiting, accepted)} />,
    },
    {
      key: 'lines',
      label: texts.lines,
      align: 'right',
      belowOnPhone: true,
      cell: ({ lines }) => <Num value={lines} />,
    },
    {
      key: 'refused',
      label: texts.refused,
      align: 'right',
      hideOn: 'tablet',
      cell: ({ refused }) => <Num value={refused} />,
    },
    {
      key: 'estimate',
      label: texts.estimate,
      align: 'right',
      hideOn: 'tablet',
      cell: ({ estimate, currency }) => <Money amount={estimate} currency={currency} />,
    },
    {
      key: 'price',
      label: texts.price,
      align: 'right',
      belowOnPhone: true,
      cell: ({ price, currency }) => <Money amount={price} currency={currency} />,
    },
    {
      key: 'by',
      label: texts.by,
      hideOn: 'tablet',
      cell: (bulk) => <MakerName made={bulk} />,
    },
    { key: 'made', label: texts.made, hideOn: 'phone', cell: ({ created_at: at }) => <Time at={at} /> },
  ]
}
