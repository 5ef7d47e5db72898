/** What the statistics are selected and grouped by, in the address. */
import type { AnswerOf, QueryOf } from '../../api/api.ts'
import { urlChoice, urlNumber, urlText } from '../../parts/list/url-state.ts'
import { CHANNEL_LIST, type Channel } from '../../texts/channels.ts'

export type Line = AnswerOf<'GET', '/statistics'>['data'][number]
export type Query = QueryOf<'/statistics'>

const DAY_MS = 86_400_000

export const TIMES = ['today', 'yesterday', '7d', '30d', 'custom'] as const
export const GROUPS = ['channel', 'operator', 'country', 'carrier', 'sender', 'account', 'status', 'day'] as const
export type Group = (typeof GROUPS)[number]
/** Columns that the page can sort by. The API sorts by group. */
export const SORTS = ['group', 'asked', 'taken', 'delivered', 'rate', 'failed'] as const

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

/** Returns the days and filters of a selection, without its grouping. */
export function filtersOf({ account, channel, operator, country, ...days }: Selection, now: number): Query {
  return {
    ...daysOf(days, now),
    ...(account === null ? {} : { account }),
    ...(channel === '' ? {} : { channel }),
    ...(operator === '' ? {} : { operator }),
    ...(country === '' ? {} : { country }),
  }
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

/** A message counts once by operator, but once per channel by channel: each has its own share. */
export function rateIsOfTaken({ by, channel }: Pick<Selection, 'by' | 'channel'>): boolean {
  return channel !== '' || by === 'channel' || by === 'carrier' || by === 'sender'
}

/** Returns the day so many days ago, UTC. */
export function dayBefore(days: number, now: number): string {
  return new Date(now - days * DAY_MS).toISOString().slice(0, 10)
}

function daysOf({ time, from, through }: Pick<Selection, 'time' | 'from' | 'through'>, now: number): Query {
  if (time === 'custom') return { ...(from === '' ? {} : { from }), ...(through === '' ? {} : { through }) }
  const last = dayBefore(time === 'yesterday' ? 1 : 0, now)
  const first = { today: last, yesterday: last, '7d': dayBefore(6, now), '30d': dayBefore(29, now) }[time]
  return { from: first, through: last }
}
