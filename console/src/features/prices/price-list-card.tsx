/** The general prices, or those of a price group: in all currencies, also earlier and future ones. */
import { useApi, usePages } from '../../api/queries.ts'
import { channelChoices } from '../../parts/channel.tsx'
import { SelectFilter } from '../../parts/list/filters.tsx'
import { urlChoice, urlText, useUrlState } from '../../parts/list/url-state.ts'
import { ROUTED_CHANNELS } from '../../texts/channels.ts'
import { usePreferences } from '../../texts/language.ts'
import { usePriceTexts } from './price-texts.ts'
import { PricesPanel } from './prices-panel.tsx'
import { RATE_FIELDS, RateFilters, rateQuery } from './rate-filters.tsx'

const FIELDS = { channel: urlChoice(['', ...ROUTED_CHANNELS], ''), currency: urlText(), ...RATE_FIELDS }
const CLEAR = { channel: '', currency: '', search: '', valid: '', day: '' } as const
/** Where there are no prices yet. */
const FIRST_CURRENCY = 'EUR'

/** Null for the general prices. */
export function PriceListCard({ group }: { readonly group: string | null }) {
  const texts = usePriceTexts()
  const { language } = usePreferences()
  const [filters, change] = useUrlState(FIELDS)
  const { channel, currency } = filters
  const whose = group === null ? {} : { group }
  const shown = { ...(channel === '' ? {} : { channel }), ...rateQuery(filters) }
  const list = usePages('/prices', { query: { ...whose, ...shown, ...(currency === '' ? {} : { currency }) } })
  const { currencies = [] } = useApi('/prices', { query: { ...whose, most: 1 } }).data ?? {}
  const isFiltered = Object.values(filters).some((value) => value !== '')
  const chosen = currency || currencies[0] || FIRST_CURRENCY
  return (
    <PricesPanel
      // Its dialogs begin with the currency.
      owner={{ account: null, group, currency: chosen }}
      title={group === null ? texts.ofGeneral : texts.ofGroup(group)}
      description={group === null ? texts.generalHint : texts.groupHint}
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
          <SelectFilter
            label={texts.anyCurrency}
            value={currency}
            choices={currencies.map((value) => ({ value, label: value }))}
            onValue={(value) => change({ currency: value })}
          />
        </RateFilters>
      }
    />
  )
}
