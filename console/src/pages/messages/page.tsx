/** Search messages, and open one. The phone number is sent in a body and never written into the address. */
import { MessageSquareText, RefreshCw, Send } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useMay } from '../../api/me.ts'
import { problemOf } from '../../api/problem.ts'
import { invalidate, useApi } from '../../api/queries.ts'
import { AccountName } from '../../features/accounts/account-name.tsx'
import { channelName, useMessageTexts } from '../../features/messages/message-texts.ts'
import { Badge, StatusBadge } from '../../parts/badge.tsx'
import { IconButton, LinkButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Filters } from '../../parts/list/filters.tsx'
import { useUrlState } from '../../parts/list/url-state.ts'
import { Card, PageHeader } from '../../parts/page/page.tsx'
import { EmptyState, Notice } from '../../parts/page/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/values.tsx'
import { useTexts } from '../../texts/texts.ts'
import { FIELDS, type Search, type Summary, useMessages } from './search.ts'
import { SearchFields } from './search-fields.tsx'
import { LIST_DE } from './texts-de.ts'
import { LIST_EN } from './texts-en.ts'

const TEXTS = { en: LIST_EN, de: LIST_DE }
const FIRST_MESSAGE_ID = 64

export function Page() {
  const texts = useTexts<typeof LIST_EN>(TEXTS)
  const may = useMay()
  const [values, change] = useUrlState(FIELDS)
  const [phone, setPhone] = useState('')
  const { id, account, status, channel, sender, carrier, bulk, time, from, until } = values
  const search: Search = useMemo(
    () => ({ id, account, status, channel, sender, carrier, bulk, time, from, until, phone }),
    [id, account, status, channel, sender, carrier, bulk, time, from, until, phone],
  )
  const found = useMessages(search)
  const phoneError = problemOf(found.error, 'phone')
  // It is shown at its field.
  const list = phoneError === undefined ? found : { ...found, error: null, rows: [] }
  const isFiltered = Object.values(search).some((value) => value !== '' && value !== null && value !== 'any')
  const clear = () => {
    setPhone('')
    change({
      id: '',
      account: null,
      status: '',
      channel: '',
      sender: '',
      carrier: '',
      bulk: null,
      time: 'any',
      from: '',
      until: '',
    })
  }
  return (
    <>
      <PageHeader
        title={texts.title}
        actions={
          <>
            <IconButton label={texts.refresh} icon={RefreshCw} onClick={() => invalidate('/messages')} />
            {may('sendMessage') && (
              <LinkButton to="/compose" icon={Send}>
                {texts.compose}
              </LinkButton>
            )}
          </>
        }
      />
      <Card flush>
        <Filters isFiltered={isFiltered} onClear={clear}>
          <SearchFields search={search} change={change} setPhone={setPhone} phoneError={phoneError} texts={texts} />
        </Filters>
        <FoundById id={search.id} />
        <DataTable
          caption={texts.title}
          columns={useColumns()}
          list={list}
          rowKey={({ message }) => message}
          rowTo={({ message }) => `/messages/${message}`}
          empty={
            <EmptyState icon={MessageSquareText} title={isFiltered ? texts.none : texts.empty}>
              {isFiltered ? texts.noneHint : texts.emptyHint}
            </EmptyState>
          }
        />
      </Card>
    </>
  )
}

/** An id is the client's in the search; the message that has it as its own id is offered above. */
function FoundById({ id }: { readonly id: string }) {
  const texts = useTexts<typeof LIST_EN>(TEXTS)
  const message = /^\d{2,15}$/.test(id) ? Number(id) : 0
  const enabled = message >= FIRST_MESSAGE_ID
  const { data } = useApi('/messages/{message}', { params: { message } }, { enabled })
  if (!enabled || data?.message !== message) return null
  return (
    <div className="border-b px-4 py-3">
      <Notice kind="info" action={<TextLink to={`/messages/${message}`}>{texts.open}</TextLink>}>
        {texts.found(message, data.account)} <StatusBadge status={data.status} />
      </Notice>
    </div>
  )
}

function useColumns(): readonly Column<Summary>[] {
  const texts = useTexts<typeof LIST_EN>(TEXTS)
  const words = useMessageTexts()
  return [
    {
      key: 'time',
      label: texts.time,
      belowOnPhone: true,
      cell: ({ accepted_at: at }) => <Time at={at} show="seconds" />,
    },
    {
      key: 'message',
      label: texts.message,
      cell: ({ message, id, test }) => (
        <span className="flex min-w-0 items-center gap-2">
          <TextLink to={`/messages/${message}`} className="font-medium tabular-nums">
            {message}
          </TextLink>
          {id !== null && <span className="max-w-44 truncate text-muted max-lg:hidden">{texts.clientId(id)}</span>}
          {test && <Badge>{words.test}</Badge>}
        </span>
      ),
    },
    {
      key: 'account',
      label: texts.accountColumn,
      cell: ({ account }) => <AccountName account={account} />,
      hideOn: 'tablet',
    },
    {
      key: 'recipient',
      label: texts.recipient,
      belowOnPhone: true,
      cell: ({ phone }) => (
        <span className="whitespace-nowrap tabular-nums">{phone === '' ? words.noPhone : phone}</span>
      ),
    },
    {
      key: 'channel',
      label: texts.channel,
      belowOnPhone: true,
      cell: ({ channel }) => (channel === null ? '–' : channelName(words, channel)),
    },
    { key: 'status', label: texts.status, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      key: 'price',
      label: texts.price,
      belowOnPhone: true,
      money: ({ price, currency }) => [{ amount: price, currency }],
    },
  ]
}
