/** The list of accounts: search, state, balance. */
import { Building2, Plus } from 'lucide-react'
import type { AnswerOf } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { usePages } from '../../api/queries.ts'
import { useAccountTexts } from '../../features/accounts/account-texts.ts'
import { AccountBadge } from '../../features/accounts/state-badge.tsx'
import { Badge } from '../../parts/badge.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Filters, SelectFilter, TextFilter } from '../../parts/list/filters.tsx'
import { urlChoice, urlText, useUrlState } from '../../parts/list/url-state.ts'
import { Card, PageHeader } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Money } from '../../parts/values.tsx'
import { useTexts } from '../../texts/texts.ts'
import { LIST_DE } from './texts-de.ts'
import { LIST_EN } from './texts-en.ts'

const TEXTS = { en: LIST_EN, de: LIST_DE }
const STATES = ['active', 'suspended', 'closed'] as const
const FIELDS = { search: urlText(), state: urlChoice(['', ...STATES], '') }
type Account = AnswerOf<'GET', '/accounts'>['data'][number]

export function Page() {
  const texts = useTexts<typeof LIST_EN>(TEXTS)
  const common = useAccountTexts()
  const may = useMay()
  const [{ search, state }, change] = useUrlState(FIELDS)
  const query = { ...(search === '' ? {} : { search }), ...(state === '' ? {} : { state }) }
  const list = usePages('/accounts', { query })
  const isFiltered = search !== '' || state !== ''
  const create = may('createAccount') && (
    <LinkButton to="/accounts/new" kind="primary" icon={Plus}>
      {texts.create}
    </LinkButton>
  )
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} actions={create} />
      <Card flush>
        <Filters isFiltered={isFiltered} onClear={() => change({ search: '', state: '' })}>
          <TextFilter label={texts.search} value={search} onValue={(value) => change({ search: value })} />
          <SelectFilter
            label={texts.state}
            value={state}
            choices={STATES.map((value) => ({ value, label: common[value] }))}
            onValue={(value) => change({ state: value })}
          />
        </Filters>
        <DataTable
          caption={texts.title}
          columns={columnsOf(texts)}
          list={list}
          rowKey={({ account }) => account}
          rowTo={({ account }) => `/accounts/${account}`}
          empty={
            isFiltered ? (
              <EmptyState icon={Building2} title={texts.noMatch}>
                {texts.noMatchHint}
              </EmptyState>
            ) : (
              <EmptyState icon={Building2} title={texts.none} action={create}>
                {texts.noneHint}
              </EmptyState>
            )
          }
        />
      </Card>
    </>
  )
}

function columnsOf(texts: typeof LIST_EN): readonly Column<Account>[] {
  return [
    {
      key: 'name',
      label: texts.name,
      wraps: true,
      cell: ({ account, name }) => (
        <TextLink to={`/accounts/${account}`} className="font-medium">
          {name}
        </TextLink>
      ),
    },
    { key: 'number', label: texts.number, align: 'right', hideOn: 'phone', cell: ({ account }) => account },
    { key: 'state', label: texts.state, belowOnPhone: true, cell: ({ state }) => <AccountBadge state={state} /> },
    {
      key: 'sender',
      label: texts.sender,
      hideOn: 'tablet',
      cell: ({ default_sms_sender: sender }) => sender ?? <span className="text-faint">–</span>,
    },
    {
      key: 'available',
      label: texts.available,
      align: 'right',
      cell: ({ available, currency, low_balance: low }) => (
        <span className="inline-flex flex-wrap items-center justify-end gap-2">
          {low !== null && available < low && <Badge tone="warn">{texts.low}</Badge>}
          <Money as="headline" amount={available} currency={currency} />
        </span>
      ),
    },
  ]
}
