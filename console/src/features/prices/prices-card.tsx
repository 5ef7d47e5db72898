/** The prices that an account pays. */
import { usePages } from '../../api/queries.ts'
import { channelChoices } from '../../parts/channel.tsx'
import { SelectFilter } from '../../parts/list/filters.tsx'
import { urlChoice, useUrlState } from '../../parts/list/url-state.ts'
import { ROUTED_CHANNELS } from '../../texts/channels.ts'
import { usePreferences } from '../../texts/language.ts'
import { usePriceTexts } from './price-texts.ts'
import { PricesPanel } from './prices-panel.tsx'
import { RATE_FIELDS, RateFilters, rateQuery } from './rate-filters.tsx'

const FIELDS = { channel: urlChoice(['', ...ROUTED_CHANNELS], ''), ...RATE_FIELDS }
const CLEAR = { channel: '', search: '', valid: '', day: '' } as const

export function PricesCard({ account, currency }: { readonly account: number; readonly currency: string }) {
  const texts = usePriceTexts()
  const { language } = usePreferences()
  const [filters, change] = useUrlState(FIELDS)
  const { channel } = filters
  const shown = { ...(channel === '' ? {} : { channel }), ...rateQuery(filters) }
  const list = usePages('/accounts/{account}/prices', { params: { account }, query: shown })
  const isFiltered = Object.values(filters).some((value) => value !== '')
  return (
    <PricesPanel
      owner={{ account, group: null, currency }}
      title={texts.title}
      description={texts.description(currency)}
      list={list}
      shown={shown}
      isFiltered={isFiltered}
      filters={
        <RateFilters values={filters} change={change} isFiltered={isFiltered} onClear={() => change(CLEAR)}>
          <SelectFilter
            label={texts.channel}
            value={channel}
            choices={channelChoices(ROUTED_CHANNELS, language)}
            onValue={(value) => change({ channel: value })}
          />
        </RateFilters>
      }
    />
  )
}
