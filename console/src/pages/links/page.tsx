/** Clicks on short links: over time, and by the address behind them. */
import { Link2 } from 'lucide-react'
import type { AnswerOf } from '../../api/api.ts'
import { useMe } from '../../api/me.ts'
import { usePages } from '../../api/queries.ts'
import { AccountName } from '../../features/accounts/account-name.tsx'
import { AccountPicker } from '../../features/accounts/account-picker.tsx'
import { Select } from '../../parts/form/select.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Filters, TextFilter } from '../../parts/list/filters.tsx'
import { urlChoice, urlNumber, urlText, useUrlState } from '../../parts/list/url-state.ts'
import { Card, PageHeader } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Num, Time } from '../../parts/values.tsx'
import { daysOf, type Time as Range, TIMES } from './days.ts'
import { useLinksTexts } from './links-texts.ts'
import { OverTime, Totals } from './over-time.tsx'

const FIELDS = { time: urlChoice(TIMES, '7d'), account: urlNumber(), bulk: urlNumber(), search: urlText() }
type Address = AnswerOf<'GET', '/clicks'>['data'][number]

export function Page() {
  const texts = useLinksTexts()
  const [{ time, account, bulk, search }, change] = useUrlState(FIELDS)
  return (
    <>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={
          <Select
            label={texts.range}
            value={time}
            choices={TIMES.map((each) => ({ value: each, label: texts.times[each] }))}
            onValue={(chosen) => change({ time: chosen })}
            className="font-medium"
          />
        }
      />
      <AccountPicker account={account} onAccount={(chosen) => change({ account: chosen })} />
      <div className="flex flex-col gap-5">
        <Totals time={time} account={account} />
        <OverTime time={time} account={account} />
        <Addresses selection={{ time, account, bulk, search }} change={change} />
      </div>
    </>
  )
}

interface Selection {
  readonly time: Range
  readonly account: number | null
  readonly bulk: number | null
  readonly search: string
}

interface AddressesProps {
  readonly selection: Selection
  readonly change: (values: Partial<Selection>) => void
}

function Addresses({ selection, change }: AddressesProps) {
  const texts = useLinksTexts()
  const columns = useColumns()
  const { time, account, bulk, search } = selection
  const query = {
    ...daysOf(time, Date.now()).query,
    ...(account === null ? {} : { account }),
    ...(bulk === null ? {} : { bulk }),
    ...(search === '' ? {} : { search }),
  }
  const list = usePages('/clicks', { query })
  const isFiltered = bulk !== null || search !== ''
  return (
    <Card flush title={texts.addresses} description={texts.addressesHint}>
      <Filters isFiltered={isFiltered} onClear={() => change({ bulk: null, search: '' })}>
        <TextFilter label={texts.search} value={search} onValue={(value) => change({ search: value })} />
        <TextFilter
          label={texts.bulk}
          value={bulk === null ? '' : String(bulk)}
          onValue={(value) => change({ bulk: /^[1-9]\d{0,15}$/.test(value) ? Number(value) : null })}
        />
      </Filters>
      <DataTable
        caption={texts.addresses}
        columns={columns}
        list={list}
        rowKey={({ account: of, address }) => `${of} ${address}`}
        empty={
          <EmptyState icon={Link2} title={isFiltered ? texts.noMatch : texts.none}>
            {isFiltered ? texts.noMatchHint : texts.noneHint}
          </EmptyState>
        }
      />
    </Card>
  )
}

function useColumns(): readonly Column<Address>[] {
  const texts = useLinksTexts()
  const isClient = useMe()?.account != null
  const account: Column<Address> = {
    key: 'account',
    label: texts.account,
    cell: ({ account: of }) => <AccountName account={of} linked />,
  }
  return [
    {
      key: 'address',
      label: texts.address,
      cell: ({ address }) =>
        address === null ? (
          <span className="text-muted">{texts.further}</span>
        ) : (
          <span className="inline-block min-w-48 [overflow-wrap:anywhere]">{address}</span>
        ),
    },
    ...(isClient ? [] : [account]),
    { key: 'clicks', label: texts.clicks, align: 'right', cell: ({ clicks }) => <Num value={clicks} /> },
    { key: 'links', label: texts.links, align: 'right', hideOn: 'phone', cell: ({ links }) => <Num value={links} /> },
    {
      key: 'robots',
      label: texts.byRobots,
      align: 'right',
      cell: ({ robot_clicks: robots }) => <Num value={robots} />,
    },
    { key: 'first', label: texts.firstClick, hideOn: 'tablet', cell: ({ first_click: at }) => <Time at={at} /> },
    { key: 'last', label: texts.lastClick, cell: ({ last_click: at }) => <Time at={at} /> },
  ]
}
