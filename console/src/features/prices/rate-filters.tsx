/** Filters of lists of prices and costs: for which numbers they are, and when they are valid. */
import type { ReactNode } from 'react'
import { Filters, SelectFilter, TextFilter } from '../../parts/list/filters.tsx'
import { urlChoice, urlText } from '../../parts/list/url-state.ts'
import { usePriceTexts } from './price-texts.ts'

const STATES = ['present', 'planned', 'past'] as const

/** For `useUrlState`. */
export const RATE_FIELDS = {
  search: urlText(),
  valid: urlChoice(['', ...STATES, 'day'], ''),
  day: urlText(),
}

interface RateValues {
  readonly search: string
  readonly valid: '' | (typeof STATES)[number] | 'day'
  readonly day: string
}

/** The filters as query fields of the API. */
export function rateQuery({ search, valid, day }: RateValues) {
  return {
    ...(search === '' ? {} : { search }),
    ...(valid === '' || valid === 'day' ? {} : { state: valid }),
    ...(valid !== 'day' || day === '' ? {} : { valid_at: day }),
  }
}

interface RateFiltersProps {
  readonly values: RateValues
  readonly change: (values: Partial<RateValues>) => void
  /** Other filters may be set too. */
  readonly isFiltered: boolean
  readonly onClear: () => void
  /** Filters that only this list has. */
  readonly children?: ReactNode
}

export function RateFilters({ values, change, isFiltered, onClear, children }: RateFiltersProps) {
  const texts = usePriceTexts()
  const { search, valid, day } = values
  return (
    <Filters isFiltered={isFiltered} onClear={onClear}>
      <TextFilter label={texts.search} value={search} onValue={(value) => change({ search: value })} />
      {children}
      <SelectFilter
        label={texts.anyTime}
        value={valid}
        choices={[
          ...STATES.map((value) => ({ value, label: texts.validStates[value] })),
          { value: 'day', label: texts.validOn },
        ]}
        onValue={(value) => change({ valid: value, day: '' })}
      />
      {valid === 'day' && (
        <TextFilter type="date" label={texts.day} value={day} onValue={(value) => change({ day: value })} />
      )}
    </Filters>
  )
}
