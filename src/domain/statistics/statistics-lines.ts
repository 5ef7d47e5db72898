/** Makes the lines of the statistics of messages from the store's totals. Currencies are never added up. */
import type { Status } from '../message/status.ts'
import { percentile } from '../structures/latency-class.ts'
import {
  groupOf,
  type MessageTotal,
  OTHER_GROUPS,
  STATISTICS_ORDERS,
  type StatisticsKey,
  type StatisticsQuery,
  type StatisticsRank,
} from './message-statistics.ts'

const COUNTS = [
  'asked',
  'taken',
  'delivered',
  'read',
  'failed',
  'cancelled',
  'fellBack',
  'parts',
  'clicked',
  'clicks',
  'robotClicks',
  'reportsSent',
  'reportsFailed',
] as const
type Count = (typeof COUNTS)[number]

/** Dimensions that were not requested, or are unknown, are null. */
export interface StatisticsLine extends Readonly<Record<Count, number>> {
  /** The first hour, since 1970; null for the whole range. */
  readonly slot: number | null
  readonly accountId: number | null
  readonly channel: string | null
  readonly carrierId: string | null
  readonly operator: string | null
  readonly country: string | null
  readonly sender: string | null
  readonly status: string | null
  /** How many groups the line adds up that have none of their own; null for a group. */
  readonly others: number | null
  /** Steps that a carrier took and that have ended by delivery or failure. */
  readonly endedOfTaken: number
  /** The share of those that were delivered; null if there are none, or if grouped by status. */
  readonly deliveredOfTaken: number | null
  /** Share of the messages that have ended; null if there are none, or if it is not known for this grouping. */
  readonly deliveredOfAsked: number | null
  /** Within these times, milliseconds, were 50, 95 and 99 of 100 delivered; null if none was. */
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  /** Of the price; null without a price, or if there are several. */
  readonly currency: string | null
  /** Null if there are several currencies. */
  readonly priceMicros: number | null
  /** Of the known costs; null if all are unknown, or if there are several currencies. */
  readonly costMicros: number | null
  readonly costCurrency: string | null
  /** Of the messages whose cost is known in the currency of their price; null if it is of none of them. */
  readonly marginMicros: number | null
  /** Of the price, what the margin leaves out: that of messages without a cost in its currency. */
  readonly pricedAloneMicros: number | null
}

interface Place {
  readonly first: MessageTotal
  readonly status: string
  readonly counts: Record<Count, number>
  /** How many groups were added up. */
  groups: number
  /** Steps that failed or fell back without having been taken. */
  untaken: number
  readonly latencies: Map<number, number>
  readonly prices: Map<string, number>
  /** By currency, where known. */
  readonly costs: Map<string, number>
  /** By currency, where cost and price have the same one. */
  readonly margins: Map<string, number>
  /** The others, by currency. */
  readonly pricedAlone: Map<string, number>
}

/** Returns one line per combination of dimensions, in the order of their values. */
export function drawLines(totals: Iterable<MessageTotal>, query: StatisticsQuery): readonly StatisticsLine[] {
  // All messages of a time may have been sent before it.
  const left = placesOf(totals, query).filter(({ counts, prices }) => {
    return prices.size > 0 || COUNTS.some((count) => counts[count] !== 0)
  })
  return left.map((place) => drawLine(place, query)).sort(compareLines)
}

/** Returns the sum of all lines; null if there are none. */
export function drawSum(totals: readonly MessageTotal[], query: StatisticsQuery): StatisticsLine | null {
  return drawLines(totals.map(withoutGroup), { ...query, by: [] })[0] ?? null
}

function withoutGroup(total: MessageTotal): MessageTotal {
  const none = { channel: '', carrierId: '', operator: '', country: '', sender: '' }
  return { ...total, slot: -1, accountId: -1, ...none }
}

/** Returns the groups (`groupOf`), the first ones first. The totals are those that the order takes. */
export function rankGroups(
  totals: readonly MessageTotal[],
  query: StatisticsQuery,
  rank: StatisticsRank,
): readonly string[] {
  const groups =
    STATISTICS_ORDERS[rank.by] === 'count'
      ? totals.map((total) => ({ group: groupOf(total), value: total.messages }))
      : placesOf(totals, query).map((place) => {
          return { group: groupOf(place.first), value: drawLine(place, query)[rank.by] }
        })
  return groups.sort((a, b) => compareValues(a.value, b.value, rank)).map(({ group }) => group)
}

function placesOf(totals: Iterable<MessageTotal>, query: StatisticsQuery): readonly Place[] {
  const places = new Map<string, Place>()
  for (const total of totals) {
    const status = query.by.includes('status') ? statusOf(total.event) : ''
    const { slot, accountId, channel, carrierId, operator, country, sender, currency } = total
    const groups = [slot, accountId, channel, carrierId, operator, country, sender, status]
    const key = JSON.stringify(query.by.includes('currency') ? [...groups, currency] : groups)
    let place = places.get(key)
    if (place === undefined) {
      const counts = Object.fromEntries(COUNTS.map((count) => [count, 0])) as Record<Count, number>
      const money = { prices: new Map(), costs: new Map(), margins: new Map(), pricedAlone: new Map() }
      place = { first: total, status, counts, groups: 0, untaken: 0, latencies: new Map(), ...money }
      places.set(key, place)
    }
    addTotal(place, total)
  }
  return [...places.values()]
}

function addTotal(place: Place, total: MessageTotal): void {
  const { counts, latencies, prices, costs, margins, pricedAlone } = place
  const { event, messages, parts, currency, costCurrency, priceMicros, costMicros } = total
  const count = countOf(event)
  if (count !== null) counts[count] += messages
  if (event === 'unasked') counts.asked -= messages
  if (event === 'groups') place.groups += messages
  if (count === 'taken') counts.parts += parts
  if (UNTAKEN.test(event)) place.untaken += messages
  if (event.startsWith('delivered ')) increase(latencies, Number(event.slice('delivered '.length)), messages)
  if (priceMicros === 0) return
  increase(prices, currency, priceMicros)
  if (costCurrency !== '') increase(costs, costCurrency, costMicros)
  if (costCurrency === currency) increase(margins, currency, priceMicros - costMicros)
  else increase(pricedAlone, currency, priceMicros)
}

function increase<Key>(sums: Map<Key, number>, key: Key, by: number): void {
  sums.set(key, (sums.get(key) ?? 0) + by)
}

const EVENTS: Readonly<Record<string, Count>> = {
  asked: 'asked',
  taken: 'taken',
  read: 'read',
  cancelled: 'cancelled',
  clicked: 'clicked',
  'human click': 'clicks',
  'robot click': 'robotClicks',
}

function countOf(event: MessageTotal['event']): Count | null {
  if (event.startsWith('delivered ')) return 'delivered'
  if (event.startsWith('failed ')) return 'failed'
  if (event.startsWith('fell back ')) return 'fellBack'
  if (event.startsWith('report sent')) return 'reportsSent'
  if (event.startsWith('report failed')) return 'reportsFailed'
  return EVENTS[event] ?? null
}

const UNTAKEN = /^(?:failed|fell back) untaken /

/** Returns the status that the event stands for; empty if it stands for none. */
function statusOf(event: MessageTotal['event']): Status | '' {
  const [, failure] = /^(?:failed|fell back) (?:untaken )?(.*)$/.exec(event) ?? []
  if (failure !== undefined) return failure as Status
  if (event === 'read') return 'READ'
  if (event === 'cancelled') return 'CANCELLED'
  return event.startsWith('delivered ') ? 'DELIVERED' : ''
}

function drawLine(place: Place, { by, only }: StatisticsQuery): StatisticsLine {
  const { first, status, counts, latencies } = place
  const { slot, accountId, channel, carrierId, operator, country, sender } = first
  const isOfSteps = STEP_KEYS.some((key) => by.includes(key)) || STEP_FILTERS.some((key) => only[key] !== undefined)
  return {
    slot: slot === -1 ? null : slot,
    accountId: accountId < 0 ? null : accountId,
    others: accountId === OTHER_GROUPS ? place.groups : null,
    channel: channel || null,
    carrierId: carrierId || null,
    operator: operator || null,
    country: country || null,
    sender: sender || null,
    status: status || null,
    ...counts,
    endedOfTaken: endedOf(place, 'taken'),
    deliveredOfTaken: by.includes('status') ? null : deliveredOf(place, 'taken'),
    deliveredOfAsked: isOfSteps ? null : deliveredOf(place, 'asked'),
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    ...moneyOf(place, by.includes('currency') ? first.currency : ''),
  }
}

/** Groups in which a message may be counted apart from its delivery. */
const STEP_FILTERS = ['channel', 'carrier', 'sender'] as const
const STEP_KEYS: readonly StatisticsKey[] = [...STEP_FILTERS, 'status']

function moneyOf({ prices, costs, margins, pricedAlone }: Place, grouped: string) {
  const [price, ...otherPrices] = prices
  const [cost, ...otherCosts] = costs
  const currency = otherPrices.length > 0 ? null : (price?.[0] ?? grouped) || null
  const priceMicros = otherPrices.length > 0 ? null : (price?.[1] ?? 0)
  const isFree = price === undefined
  return {
    currency,
    priceMicros,
    costMicros: isFree ? 0 : otherCosts.length > 0 ? null : (cost?.[1] ?? null),
    costCurrency: otherCosts.length > 0 ? null : (cost?.[0] ?? null),
    marginMicros: isFree ? 0 : otherPrices.length > 0 ? null : (margins.get(price[0]) ?? null),
    pricedAloneMicros: isFree ? 0 : otherPrices.length > 0 ? null : (pricedAlone.get(price[0]) ?? 0),
  }
}

function deliveredOf(place: Place, whole: 'asked' | 'taken'): number | null {
  return shareOf(place.counts.delivered, endedOf(place, whole))
}

/**
 * Returns how many ended by delivery or failure: a message under way may still be delivered, and one
 * that was cancelled could not be. A step that fell back may be delivered late, so no more than were taken can have
 * ended.
 */
function endedOf({ counts, untaken }: Place, whole: 'asked' | 'taken'): number {
  const { delivered, failed, fellBack } = counts
  const lost = whole === 'asked' ? failed : failed + fellBack - untaken
  return Math.min(counts[whole], delivered + lost)
}

/** Returns a share from 0 to 1 with four decimals; null of nothing. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000
}

/** Sorts the lines of each time, or the times themselves if these are all lines are of; the others are last. */
export function rankLines(
  lines: readonly StatisticsLine[],
  { by: groups }: Pick<StatisticsQuery, 'by'>,
  rank: StatisticsRank,
): readonly StatisticsLine[] {
  const timeOf = ({ slot }: StatisticsLine) => (groups.every((key) => key === 'currency') ? 0 : (slot ?? 0))
  const isLast = (line: StatisticsLine) => Number(line.others !== null)
  return lines.toSorted(
    (a, b) => timeOf(a) - timeOf(b) || isLast(a) - isLast(b) || compareValues(a[rank.by], b[rank.by], rank),
  )
}

function compareValues(a: number | null, b: number | null, { descending }: StatisticsRank): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return descending ? b - a : a - b
}

function compareLines(a: StatisticsLine, b: StatisticsLine): number {
  for (const key of ['slot', 'accountId'] as const) {
    if (a[key] !== b[key]) return (a[key] ?? 0) - (b[key] ?? 0)
  }
  for (const key of ['channel', 'carrierId', 'operator', 'country', 'sender', 'status', 'currency'] as const) {
    const [one, other] = [a[key] ?? '', b[key] ?? '']
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}
