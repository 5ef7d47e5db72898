/**
 * The table of the statistics of messages. On PostgreSQL, new counts are `fresh` rows; each sweep moves them to
 * `recent` and adds them to the rows of all accounts. On SQLite they come there from a journal
 * (sqlite/session/sqlite-totals.ts). Once their hour is over, a sweep moves them from `recent` to the hours and days of
 * their account. Each move is one transaction, so the levels that are read together are exact at any time.
 */

import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { Turn } from '../../../domain/journey/turn.ts'
import type { Message } from '../../../domain/message/message.ts'
import type { Posting } from '../../../domain/money/ledger.ts'
import { type Country, countryOf } from '../../../domain/numbers/country.ts'
import type { Phone } from '../../../domain/numbers/phone.ts'
import {
  countedIn,
  DAY_HOURS,
  DAYS_KEPT_DAYS,
  HOURS_KEPT_DAYS,
  hourOf,
  isOfAllAccounts,
  type MessageEvent,
  type MessageTotal,
  STATISTICS_ORDERS,
  type StatisticsQuery,
} from '../../../domain/statistics/message-statistics.ts'
import { latencyClass } from '../../../domain/structures/latency-class.ts'
import type { ReportResult } from '../../../ports/records/pending-report.ts'
import type { ClickCount } from '../../../ports/records/short-link.ts'
import type { CellsOf } from '../cells/cells-of.ts'
import { readJourney } from '../messages/message-row.ts'

const LEVELS = { fresh: 0, hours: 1, days: 2, hoursOfAll: 3, daysOfAll: 4, recent: 5 } as const

/** Reports have their hook in the column of the sender. Only statistics of hooks show it. */
export const IS_REPORT = `event LIKE 'report %'`

/** Stands for all accounts together. Their rows have no sender. */
export const ALL_ACCOUNTS = 0 as AccountId

/** A row in the order of the columns. */
export type MessageTotalRow = [level: number, ...count: CountRow, messages: number]

export const TOTAL_KEY =
  'level, slot, account_id, event, channel, carrier_id, operator, country, sender, currency, cost_currency'
/** In the order of a MessageTotalRow. */
export const TOTAL_SUMS = ['parts', 'price_micros', 'cost_micros', 'messages'] as const

/** Sums up the rows of one transaction, so that each is written once, however many messages it counts. */
export class TotalSums {
  readonly #sums = new Map<string, MessageTotalRow>()
  /** The fresh sums that were added to last, by event. */
  readonly #last = new Map<string, MessageTotalRow>()

  count(rows: readonly CountRow[], times = 1): void {
    for (const row of rows) {
      // Most rows are those of the message before, once more.
      const last = this.#last.get(row[2])
      if (last !== undefined && isOfRow(last, row)) addTo(last, row[10], row[11], row[12], times)
      else this.#last.set(row[2], this.#sum([LEVELS.fresh, ...row, times]))
    }
  }

  /** Adds the row, which belongs to this object from then on. */
  add(row: MessageTotalRow): void {
    this.#sum(row)
  }

  /** Returns the sum that the row is now part of. */
  #sum(row: MessageTotalRow): MessageTotalRow {
    const [level, slot, account, event, channel, carrier, operator, country, sender, currency, cost] = row
    const place = `${channel}\n${carrier}\n${operator}\n${country}\n${sender}\n${currency}\n${cost}`
    const key = `${level} ${slot} ${account} ${event}\n${place}`
    const sum = this.#sums.get(key)
    if (sum === undefined) {
      this.#sums.set(key, row)
      return row
    }
    addTo(sum, row[11], row[12], row[13], row[14])
    return sum
  }

  /** Moves a row that was fresh or recent to the next levels. */
  rollUp(row: MessageTotalRow): void {
    const [level, slot, accountId, event, channel, carrier, operator, country, sender, ...rest] = row
    const place = [event, channel, carrier, operator, country] as const
    if (level === LEVELS.recent) {
      const day = slot - (slot % DAY_HOURS)
      this.add([LEVELS.hours, slot, accountId, ...place, sender, ...rest])
      this.add([LEVELS.days, day, accountId, ...place, sender, ...rest])
      return
    }
    this.add([LEVELS.recent, slot, accountId, ...place, sender, ...rest])
    this.addToAll(row)
  }

  /** Adds the row of an account to those of all accounts. */
  addToAll([, slot, , event, channel, carrier, operator, country, , ...rest]: MessageTotalRow): void {
    const day = slot - (slot % DAY_HOURS)
    const place = [event, channel, carrier, operator, country] as const
    this.add([LEVELS.hoursOfAll, slot, ALL_ACCOUNTS, ...place, '', ...rest])
    this.add([LEVELS.daysOfAll, day, ALL_ACCOUNTS, ...place, '', ...rest])
  }

  /** Returns the sums since the last call. */
  take(): readonly MessageTotalRow[] {
    if (this.#sums.size === 0) return NO_ROWS
    const rows = [...this.#sums.values()]
    this.clear()
    return rows
  }

  clear(): void {
    this.#sums.clear()
    this.#last.clear()
  }
}

/** Returns the row of so many of these counts of an account and sender. */
export function recentRow(count: CountRow, accountId: AccountId, sender: string, times: number): MessageTotalRow {
  const [slot, , event, channel, carrier, operator, country, , currency, cost, parts, priceMicros, costMicros] = count
  const sums = [parts * times, priceMicros * times, costMicros * times, times] as const
  return [LEVELS.recent, slot, accountId, event, channel, carrier, operator, country, sender, currency, cost, ...sums]
}

/** Returns whether the row counts in this sum. Both have the same event. */
function isOfRow(sum: MessageTotalRow, row: CountRow): boolean {
  return (
    sum[1] === row[0] &&
    sum[2] === row[1] &&
    sum[4] === row[3] &&
    sum[5] === row[4] &&
    sum[6] === row[5] &&
    sum[7] === row[6] &&
    sum[8] === row[7] &&
    sum[9] === row[8] &&
    sum[10] === row[9]
  )
}

function addTo(sum: MessageTotalRow, parts: number, priceMicros: number, costMicros: number, messages: number): void {
  sum[11] += parts
  sum[12] += priceMicros
  sum[13] += costMicros
  sum[14] += messages
}

const NO_ROWS: readonly MessageTotalRow[] = []

const LINGER_MS = 600_000

/** Rows of these levels are rolled up if their slot is before this hour: of recent ones, most receipts have arrived. */
export function rolledUp(now: number): readonly (readonly [level: number, before: number])[] {
  return [
    [LEVELS.recent, hourOf(now - LINGER_MS)],
    [LEVELS.fresh, END_OF_TIME],
  ]
}

/** Messages may be scheduled. */
const END_OF_TIME = 2 ** 31 - 1

/** Rows of these levels are deleted if their slot is before this hour. */
export function keptFrom(now: number): readonly (readonly [level: number, before: number])[] {
  const before = (days: number) => hourOf(now) - days * DAY_HOURS
  return [
    [LEVELS.hours, before(HOURS_KEPT_DAYS)],
    [LEVELS.hoursOfAll, before(HOURS_KEPT_DAYS)],
    [LEVELS.days, before(DAYS_KEPT_DAYS)],
    [LEVELS.daysOfAll, before(DAYS_KEPT_DAYS)],
  ]
}

/** Returns the levels that are read together. */
export function levelsOf(query: StatisticsQuery): readonly [number, number, number] {
  const isOfHours = query.source === 'hours'
  if (!isOfAllAccounts(query)) return [LEVELS.fresh, LEVELS.recent, isOfHours ? LEVELS.hours : LEVELS.days]
  return [LEVELS.fresh, LEVELS.fresh, isOfHours ? LEVELS.hoursOfAll : LEVELS.daysOfAll]
}

/**
 * Returns parameters: 1 for each group that is asked for, after the hours of a line; 1 for the hooks of reports; 1 each
 * for the event, currency and currency of the cost; the pattern of events whose messages count. Filters: null for all,
 * and last 1 for reports only.
 */
export function askedCells({ only, by, slotHours, days, ofHooks, ranking }: StatisticsQuery) {
  const isOfHooks = ofHooks === true
  const ranked = ranking === undefined ? null : STATISTICS_ORDERS[ranking]
  const isApart = (what: 'events' | 'money') => Number(ranked === null || ranked === what)
  const asked = (key: StatisticsQuery['by'][number]) => Number(by.includes(key))
  const { channel = null, carrier = null, operator = null, country = null, sender = null } = only
  return {
    groups: [
      ...[days === undefined ? (slotHours ?? 0) : 1, asked('account'), asked('channel'), asked('carrier')],
      ...[asked('operator'), asked('country'), isOfHooks ? 1 : asked('sender'), Number(isOfHooks)],
      ...[isApart('events'), isApart('money'), isApart('money'), ranked === 'count' ? `${ranking}%` : '%'],
    ],
    filters: [channel, carrier, operator, country, sender, Number(isOfHooks)],
  }
}

export type GroupedRow = Readonly<
  CellsOf<
    'message_total',
    'slot, account_id, channel, carrier_id, operator, country, sender, event, currency, cost_currency, messages, parts, price_micros, cost_micros',
    { event: MessageTotal['event'] }
  >
>

export function readTotal(row: GroupedRow): MessageTotal {
  const [slot, accountId, channel, carrierId, operator, country, sender, event, currency, costCurrency, ...sums] = row
  const [messages, parts, priceMicros, costMicros] = sums
  return {
    ...{ slot, accountId, channel, carrierId, operator, country, sender, event, currency, costCurrency },
    ...{ messages, parts, priceMicros, costMicros },
  }
}

/** What accepted messages, turns, clicks and reports add to the statistics of messages, as rows. */

/** One more message. Unknown texts are empty. */
export type CountRow = CellsOf<
  'message_total',
  'slot, account_id, event, channel, carrier_id, operator, country, sender, currency, cost_currency, parts, price_micros, cost_micros',
  { account_id: AccountId; event: MessageEvent }
>

const NO_COUNTS: readonly CountRow[] = []

/** Returns the row of an accepted message; null for a test message. */
export function askedRow(message: Message): CountRow | null {
  return message.test ? null : countRow(message, 'asked', 0, countryOf(message.phone))
}

/** The money of a turn is counted with its last event of the charged step. */
export function toCountRows({ message, counts, postings }: Turn): readonly CountRow[] {
  if (counts.length === 0 && !hasCharge(postings)) return NO_COUNTS
  const country = countryOf(message.phone)
  const rows = counts.map(({ event, step }) => countRow(message, event, step, country))
  if (message.test) return rows
  for (const { charge, amountMicros } of postings) {
    if (charge === undefined) continue
    const { channel, cost } = charge
    let row = lastOf(rows, channel)
    if (row === undefined) {
      const step = message.plan.findIndex((each) => each.channel === channel)
      row = countRow(message, 'charged', step, country)
      rows.push(row)
    }
    row[9] = cost?.currency ?? ''
    row[11] += amountMicros
    row[12] += cost?.micros ?? 0
  }
  return rows
}

function hasCharge(postings: readonly Posting[]): boolean {
  for (const { charge } of postings) if (charge !== undefined) return true
  return false
}

function lastOf(rows: readonly CountRow[], channel: string): CountRow | undefined {
  let last: CountRow | undefined
  for (const row of rows) if (row[3] === channel) last = row
  return last
}

/** Returns what the result of a report adds; nothing for one that was parked. */
export function toReportCount(
  accountId: AccountId,
  { kind, at, tookMs, hook = '' }: ReportResult,
): readonly CountRow[] {
  if (kind === 'parked') return []
  const outcome = kind === 'sent' ? 'sent' : kind === 'later' ? 'retried' : 'failed'
  const event =
    tookMs === undefined ? (`report ${outcome}` as const) : (`report ${outcome} ${latencyClass(tookMs)}` as const)
  return [[hourOf(at), accountId, event, '', '', '', '', hook, '', '', 0, 0, 0]]
}

/** What clicks need of the message of their link. */
export const CLICKED_COLUMNS = 'account_id, phone, plan, journey, operator, currency, created_at, test'
export type ClickedRow = [
  accountId: AccountId,
  phone: Phone,
  plan: string,
  journey: string,
  operator: string | null,
  currency: string,
  createdAt: number,
  test: number,
]

/** A message with a clicked link. */
export type ClickedMessage = Pick<
  Message,
  'accountId' | 'phone' | 'plan' | 'journey' | 'operator' | 'currency' | 'createdAt'
>

/** Returns null for a test message, whose clicks are not counted. */
export function readClicked(row: ClickedRow): ClickedMessage | null {
  const [accountId, phone, plan, journey, operator, currency, createdAt, test] = row
  if (test === 1) return null
  return { accountId, phone, plan: JSON.parse(plan), journey: readJourney(journey), operator, currency, createdAt }
}

/** Returns what clicks on a link of a message add, and how often. */
export function toClickCounts(
  message: ClickedMessage,
  { humans, robots, at }: ClickCount,
): readonly (readonly [CountRow, number])[] {
  const step = message.journey.deliveredBy ?? message.journey.step
  const count = (event: MessageEvent, times: number) => {
    if (times === 0) return []
    const counted = countRow(message, event, step, countryOf(message.phone))
    counted[0] = hourOf(at)
    return [[counted, times] as const]
  }
  return [...count('human click', humans), ...count('robot click', robots)]
}

function countRow(
  message: Omit<ClickedMessage, 'phone'>,
  event: MessageEvent,
  step: number,
  country: Country | null,
): CountRow {
  const { accountId, plan, journey, operator, currency } = message
  const { channel = '', sender = '', parts = 0 } = plan[step] ?? {}
  const carrierId = journey.steps[step]?.carrierId ?? ''
  const slot = countedIn(message, event)
  return [slot, accountId, event, channel, carrierId, operator ?? '', country ?? '', sender, currency, '', parts, 0, 0]
}
