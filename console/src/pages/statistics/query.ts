/** What the statistics are selected and grouped by, in the address. */
import type { AnswerOf, QueryOf } from '../../api/api.ts'
import { urlChoice, urlNumber, urlText } from '../../parts/list/url-state.ts'
import { CHANNEL_LIST, type Channel } from '../../texts/channels.ts'
import { dayIn, daysBefore } from '../../texts/zone.ts'

export type Line = AnswerOf<'GET', '/statistics'>['data'][number]
export type Query = QueryOf<'/statistics'>

/** Sums by hour, of which the days of a zone are made, are kept for so many days before today. */
const ZONE_DAYS = 33

export const TIMES = ['today', 'yesterday', '7d', '30d', 'custom'] as const
export const GROUPS = ['channel', 'operator', 'country', 'carrier', 'sender', 'account', 'status', 'day'] as const
export type Group = (typeof GROUPS)[number]
/** Columns that the page can sort by. */
export const SORTS = [
  ...(['group', 'asked', 'taken', 'delivered', 'rate', 'failed', 'p50', 'p95'] as const),
  ...(['price', 'cost', 'margin'] as const),
] as const
export type Sort = (typeof SORTS)[number]

export const FIELDS = {
  time: urlChoice(TIMES, 'today'),
  from: urlText(),
  through: urlText(),
  by: urlChoice(GROUPS, 'channel'),
  account: urlNumber(),
  channel: urlChoice(['', ...CHANNEL_LIST], ''),
  operator: urlText(),
  country: urlText(),
  sort: urlChoice(SORTS, 'group'),
  order: urlChoice(['up', 'down'], 'up'),
}

export interface Selection {
  readonly time: (typeof TIMES)[number]
  readonly from: string
  readonly through: string
  readonly by: Group
  readonly account: number | null
  readonly channel: '' | Channel
  readonly operator: string
  readonly country: string
}

/** First and last day, and the zone whose days they are. */
export interface Days {
  readonly from: string
  readonly through: string
  readonly zone: string
}

/** Returns the days of the zone, or days of UTC if they are older than the sums by hour. */
export function daysOf({ time, from, through }: Selection, zone: string, now: number): Days {
  const today = dayIn(zone, now)
  if (time === 'custom') {
    const last = through === '' ? today : through
    const first = from === '' ? last : from
    return { from: first, through: last, zone: first < daysBefore(today, ZONE_DAYS) ? 'UTC' : zone }
  }
  const last = daysBefore(today, time === 'yesterday' ? 1 : 0)
  return { from: daysBefore(last, { today: 0, yesterday: 0, '7d': 6, '30d': 29 }[time]), through: last, zone }
}

/** Returns the days and filters of a selection, without its grouping. */
export function filtersOf({ account, channel, operator, country }: Selection, { zone, ...days }: Days): Query {
  return {
    ...days,
    ...(zone === 'UTC' ? {} : { zone }),
    ...(account === null ? {} : { account }),
    ...(channel === '' ? {} : { channel }),
    ...(operator === '' ? {} : { operator }),
    ...(country === '' ? {} : { country }),
  }
}

/** Returns the order for the API, which sorts by group without one. */
export function orderOf(sort: Sort, selection: Selection): Query['order'] {
  if (sort === 'group') return undefined
  if (sort === 'rate') return rateOf(selection)
  return sort === 'p50' || sort === 'p95' ? `${sort}_seconds` : sort
}

/** Returns the grouping: days are a resolution of time rather than a group. */
export function groupingOf(by: Group, further: readonly string[] = []): Query {
  const groups = by === 'day' ? further : [by, ...further]
  return { resolution: by === 'day' ? 'day' : 'total', by: groups.length === 0 ? 'none' : groups.join(',') }
}

/** Returns the value of a line's group. */
export function groupOf(line: Line, by: Group): string | number | null {
  return by === 'day' ? line.time : (line[by] ?? null)
}

/** A line of a status has one kind of messages. */
export function messagesOf({ delivered, read, failed, cancelled, fallen_back: fellBack }: Line): number {
  return delivered + read + failed + cancelled + fellBack
}

/** A message counts once by operator, but once per channel by channel: each has its own share. */
export function rateOf({
  by,
  channel,
}: Pick<Selection, 'by' | 'channel'>): 'delivered_of_taken' | 'delivered_of_asked' {
  const isOfTaken = channel !== '' || by === 'channel' || by === 'carrier' || by === 'sender'
  return isOfTaken ? 'delivered_of_taken' : 'delivered_of_asked'
}
