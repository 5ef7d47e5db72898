/** The prices that an account pays. */
import { usePages } from '../../api/queries.ts'
import { channelChoices } from '../../parts/channel.tsx'
import { Filters, SelectFilter } from '../../parts/list/filters.tsx'
import { urlChoice, useUrlState } from '../../parts/list/url-state.ts'
import { ROUTED_CHANNELS } from '../../texts/channels.ts'
import { usePreferences } from '../../texts/language.ts'
import { usePriceTexts } from './price-texts.ts'
import { PricesPanel } from './prices-panel.tsx'

const FIELDS = { channel: urlChoice(['', ...ROUTED_CHANNELS], '') }

export function PricesCard({ account, currency }: { readonly account: number; readonly currency: string }) {
  const texts = usePriceTexts()
  const { language } = usePreferences()
  const [{ channel }, change] = useUrlState(FIELDS)
  const list = usePages('/accounts/{account}/prices', {
    params: { account },
    query: channel === '' ? {} : { channel },
  })
  return (
    <PricesPanel
      owner={{ account, group: null, currency }}
      title={texts.title}
      description={texts.description(currency)}
      list={list}
      filters={
        <Filters isFiltered={channel !== ''} onClear={() => change({ channel: '' })}>
          <SelectFilter
            label={texts.channel}
            value={channel}
            choices={channelChoices(ROUTED_CHANNELS, language)}
            onValue={(value) => change({ channel: value })}
          />
        </Filters>
      }
    />
  )
}
