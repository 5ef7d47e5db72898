/** The filters above the list of messages. */
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../../api/me.ts'
import { AccountFilter } from '../../features/accounts/account-field.tsx'
import { channelName, useMessageTexts } from '../../features/messages/message-texts.ts'
import { Button } from '../../parts/button.tsx'
import { isTooShort } from '../../parts/form/phone-text.ts'
import { SelectFilter, TextFilter } from '../../parts/list/filters.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import { CHANNEL_LIST } from '../../texts/channels.ts'
import { type Search, STATUSES } from './search.ts'
import type { LIST_EN } from './texts-en.ts'

interface SearchFieldsProps {
  readonly search: Search
  readonly change: (values: Partial<Omit<Search, 'phone'>>) => void
  readonly setPhone: (phone: string) => void
  /** What the API found wrong with the phone. */
  readonly phoneError: string | undefined
  readonly texts: typeof LIST_EN
}

const STATUS_CHOICES = STATUSES.map((status) => ({ value: status, label: status }))

export function SearchFields({ search, change, setPhone, phoneError, texts }: SearchFieldsProps) {
  const parts = usePartTexts()
  const words = useMessageTexts()
  const { id, account, status, channel, sender, carrier, bulk, time, from, until, phone } = search
  const [isOpen, setOpen] = useState(account !== null || sender !== '' || carrier !== '' || bulk !== null)
  const times = [
    { value: '1h', label: parts.lastHour },
    { value: '24h', label: parts.last24Hours },
    { value: '7d', label: parts.last7Days },
    { value: '30d', label: parts.last30Days },
    { value: 'other', label: texts.other },
  ] as const
  return (
    <>
      <TextFilter label={texts.id} value={id} onValue={(value) => change({ id: value })} />
      <TextFilter
        label={texts.phone}
        value={phone}
        onValue={setPhone}
        check={(text) => (isTooShort(text) ? texts.phoneTooShort : undefined)}
        error={phoneError}
      />
      <SelectFilter
        label={texts.status}
        value={status}
        choices={STATUS_CHOICES}
        onValue={(value) => change({ status: value })}
      />
      <SelectFilter
        label={texts.channel}
        value={channel}
        choices={CHANNEL_LIST.map((value) => ({ value, label: channelName(words, value) }))}
        onValue={(value) => change({ channel: value })}
      />
      <SelectFilter
        label={texts.anyTime}
        value={time === 'any' ? '' : time}
        choices={times}
        onValue={(value) => change({ time: value === '' ? 'any' : value })}
      />
      {time === 'other' && (
        <>
          <TextFilter
            label={texts.from}
            type="datetime-local"
            value={from}
            onValue={(value) => change({ from: value })}
          />
          <TextFilter
            label={texts.until}
            type="datetime-local"
            value={until}
            onValue={(value) => change({ until: value })}
          />
        </>
      )}
      {isOpen ? (
        <MoreFields {...{ search, change, texts }} />
      ) : (
        <Button kind="plain" size="small" icon={SlidersHorizontal} className="my-1" onClick={() => setOpen(true)}>
          {texts.moreFilters}
        </Button>
      )}
    </>
  )
}

function MoreFields({ search, change, texts }: Pick<SearchFieldsProps, 'search' | 'change' | 'texts'>) {
  const may = useMay()
  const { account, sender, carrier, bulk } = search
  return (
    <>
      {may('listAccounts') && (
        <AccountFilter label={texts.account} account={account} onAccount={(value) => change({ account: value })} />
      )}
      <TextFilter label={texts.sender} value={sender} onValue={(value) => change({ sender: value })} />
      <TextFilter
        label={texts.bulk}
        value={bulk === null ? '' : String(bulk)}
        onValue={(value) => change({ bulk: /^[1-9]\d{0,15}$/.test(value) ? Number(value) : null })}
      />
      {may('listCarriers') && (
        <TextFilter label={texts.carrier} value={carrier} onValue={(value) => change({ carrier: value })} />
      )}
    </>
  )
}
