/** Days, grouping and filters above the table. */
import { useMay, useMe } from '../../api/me.ts'
import { AccountFilter } from '../../features/accounts/account-field.tsx'
import { channelChoices } from '../../parts/channel.tsx'
import { SelectFilter, TextFilter } from '../../parts/list/filters.tsx'
import { CHANNEL_LIST } from '../../texts/channels.ts'
import { usePreferences } from '../../texts/language.ts'
import { daysBefore } from '../../texts/zone.ts'
import { type Days, GROUPS, type Group, type Selection, TIMES } from './query.ts'
import { useStatisticsTexts } from './statistics-texts.ts'

interface SelectionFieldsProps {
  readonly selection: Selection
  readonly change: (values: Partial<Selection>) => void
}

const A_WEEK = 6

export function DaysField({ selection, days, change }: SelectionFieldsProps & { readonly days: Days }) {
  const texts = useStatisticsTexts()
  const { time, from, through } = selection
  const names = {
    today: texts.today,
    yesterday: texts.yesterday,
    '7d': texts.week,
    '30d': texts.month,
    custom: texts.custom,
  }
  const choose = (chosen: Selection['time']) => {
    const { through: last } = days
    if (chosen === 'custom') change({ time: chosen, from: daysBefore(last, A_WEEK), through: last })
    else change({ time: chosen, from: '', through: '' })
  }
  return (
    <>
      <select
        aria-label={texts.range}
        value={time}
        onChange={(event) => choose(event.target.value as Selection['time'])}
        className="input-box w-auto font-medium"
      >
        {TIMES.map((each) => (
          <option key={each} value={each}>
            {names[each]}
          </option>
        ))}
      </select>
      {time === 'custom' && (
        <>
          <TextFilter label={texts.from} type="date" value={from} onValue={(value) => change({ from: value })} />
          <TextFilter
            label={texts.through}
            type="date"
            value={through}
            onValue={(value) => change({ through: value })}
          />
        </>
      )}
    </>
  )
}

export function GroupField({ selection, change }: SelectionFieldsProps) {
  const texts = useStatisticsTexts()
  const isClient = useMe()?.account != null
  // The API refuses carriers to users of an account, who have one account only.
  const groups = GROUPS.filter((group) => !isClient || (group !== 'carrier' && group !== 'account'))
  return (
    <label className="flex items-center gap-2 text-sm text-muted">
      {texts.groupBy}
      <select
        value={selection.by}
        onChange={(event) => change({ by: event.target.value as Group })}
        className="input-box w-auto text-ink"
      >
        {groups.map((group) => (
          <option key={group} value={group}>
            {texts[group]}
          </option>
        ))}
      </select>
    </label>
  )
}

export function FilterFields({ selection, change }: SelectionFieldsProps) {
  const texts = useStatisticsTexts()
  const { language } = usePreferences()
  const may = useMay()
  const { account, channel, operator, country } = selection
  return (
    <>
      {may('listAccounts') && (
        <AccountFilter
          label={texts.accountFilter}
          account={account}
          onAccount={(value) => change({ account: value })}
        />
      )}
      <SelectFilter
        label={texts.allChannels}
        value={channel}
        choices={channelChoices(CHANNEL_LIST, language)}
        onValue={(value) => change({ channel: value })}
      />
      <TextFilter
        label={texts.operatorFilter}
        value={operator}
        onValue={(value) => change({ operator: value.replace('-', '') })}
      />
      <TextFilter
        label={texts.countryFilter}
        value={country}
        onValue={(value) => change({ country: value.toUpperCase() })}
      />
    </>
  )
}
