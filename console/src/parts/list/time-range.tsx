/** A choice of time range, kept in the address as `range`, or as `from` and `through`. */
import { Select } from '../form/select.tsx'
import { usePartTexts } from '../part-texts.ts'
import { type UrlField, urlChoice } from './url-state.ts'

export const RANGES = ['1h', '24h', '7d', '30d'] as const
export type Range = (typeof RANGES)[number]

const HOUR_MS = 3_600_000
const LENGTHS: Readonly<Record<Range, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
}

/** For `useUrlState({ range: urlRange() })`. */
export const urlRange = (initial: Range = '24h'): UrlField<Range> => urlChoice(RANGES, initial)

/** Returns the length of a range, milliseconds. */
export function rangeMs(range: Range): number {
  return LENGTHS[range]
}

interface TimeRangePickerProps<R extends Range> {
  readonly value: R
  readonly onValue: (range: R) => void
  readonly ranges: readonly R[]
}

export function TimeRangePicker<R extends Range>({ value, onValue, ranges }: TimeRangePickerProps<R>) {
  const texts = usePartTexts()
  const names: Readonly<Record<Range, string>> = {
    '1h': texts.lastHour,
    '24h': texts.last24Hours,
    '7d': texts.last7Days,
    '30d': texts.last30Days,
  }
  return (
    <Select
      label={texts.range}
      value={value}
      choices={ranges.map((range) => ({ value: range, label: names[range] }))}
      onValue={onValue}
      className="font-medium"
    />
  )
}
