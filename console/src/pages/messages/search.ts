/** What messages are searched by: in the address, except the phone number. */

import { useEffect, useMemo, useRef } from 'react'
import { type AnswerOf, api, type BodyOf } from '../../api/api.ts'
import { type PagedRows, usePagesOf } from '../../api/queries.ts'
import { RANGES, type Range, rangeMs } from '../../parts/list/time-range.tsx'
import { urlChoice, urlNumber, urlText } from '../../parts/list/url-state.ts'
import { CHANNEL_LIST, type Channel } from '../../texts/channels.ts'

export type Summary = AnswerOf<'POST', '/messages/find'>['data'][number]
type Asked = BodyOf<'POST', '/messages/find'>

export const STATUSES = [
  'QUEUED',
  'ACCEPTED',
  'DELIVERED',
  'READ',
  'EXPIRED',
  'UNDELIVERABLE',
  'REJECTED',
  'FILTERED',
  'NO ROUTE',
  'UNKNOWN',
  'CANCELLED',
] as const

/** `any`: no limit; `other`: from and until. */
const TIMES = ['any', ...RANGES, 'other'] as const

export const FIELDS = {
  id: urlText(),
  account: urlNumber(),
  status: urlChoice(['', ...STATUSES], ''),
  channel: urlChoice(['', ...CHANNEL_LIST], ''),
  sender: urlText(),
  carrier: urlText(),
  bulk: urlNumber(),
  time: urlChoice(TIMES, 'any'),
  from: urlText(),
  until: urlText(),
}

export interface Search {
  readonly id: string
  readonly account: number | null
  readonly status: '' | (typeof STATUSES)[number]
  readonly channel: '' | Channel
  readonly sender: string
  readonly carrier: string
  readonly bulk: number | null
  readonly time: (typeof TIMES)[number]
  readonly from: string
  readonly until: string
  readonly phone: string
}

const PAGE = 50
/** A page of a search may be empty although more follow: so many are read without a click. */
const MAX_EMPTY_PAGES = 20
const MINUTE_MS = 60_000

export function useMessages(search: Search): PagedRows<Summary> {
  const asked = useMemo(() => askedOf(search), [search])
  const list = usePagesOf<Summary>(['/messages', asked], (after, signal) =>
    api.post('/messages/find', { body: { ...asked, ...(after === null ? {} : { after: Number(after) }) }, signal }),
  )
  const { rows, hasMore, isReading, error, readMore } = list
  const empty = useRef({ asked, pages: 0 })
  // biome-ignore lint/correctness/useExhaustiveDependencies: continues after each empty page
  useEffect(() => {
    if (empty.current.asked !== asked) empty.current = { asked, pages: 0 }
    if (rows?.length !== 0 || !hasMore || isReading || error !== null) return
    empty.current.pages += 1
    if (empty.current.pages <= MAX_EMPTY_PAGES) readMore()
  }, [asked, rows?.length, hasMore, isReading])
  return list
}

function askedOf({ id, account, status, channel, sender, carrier, bulk, phone, ...times }: Search): Asked {
  const { from, until } = timesOf(times)
  const given = { id, account, status, channel, sender, carrier, bulk, phone, from, until }
  const set = Object.entries(given).filter(([, value]) => value !== '' && value !== null)
  return { most: PAGE, ...Object.fromEntries(set) }
}

function timesOf({ time, from, until }: Pick<Search, 'time' | 'from' | 'until'>) {
  if (time === 'other') return { from: instantOf(from), until: instantOf(until) }
  if (time === 'any') return { from: '', until: '' }
  // By the minute, so that the same search has the same key.
  const start = Math.floor((Date.now() - rangeMs(time as Range)) / MINUTE_MS) * MINUTE_MS
  return { from: new Date(start).toISOString(), until: '' }
}

/** Returns a local time of a date field as RFC 3339; empty if it is not one. */
function instantOf(text: string): string {
  const at = text === '' ? Number.NaN : new Date(text).getTime()
  return Number.isNaN(at) ? '' : new Date(at).toISOString()
}
