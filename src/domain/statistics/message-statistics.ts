/**
 * Statistics of messages: counts by hour and day, kept in the transactions that accept and advance messages. A message
 * counts in the hour in which it starts, whenever its receipts arrive, so that shares of an hour are true.
 */
import type { AccountId } from '../ids/account-id.ts'
import type { Message } from '../message/message.ts'
import type { Status } from '../message/status.ts'

/**
 * `asked`: accepted from the client. `taken`: carriers have all parts of a step. `delivered`: the first time, with
 * the class of its time (latency-class.ts). `fell back`: a step has ended with this status and the next began.
 * `failed`: the message ended with this status without a delivery. Both are `untaken` if no carrier took the step.
 * `clicked`: the first click on a short link of the message by a human. `charged`: money of a turn without other
 * counts. `unasked`: takes one of `asked` from the planned hour of a message that is sent before it. Clicks count, each
 * of them, in the hour of the click, and reports in the hour in which they are settled.
 */
export type MessageEvent =
  | 'asked'
  | 'unasked'
  | 'taken'
  | `delivered ${number}`
  | 'read'
  | `fell back ${Untaken}${Status}`
  | `failed ${Untaken}${Status}`
  | 'cancelled'
  | 'clicked'
  | 'charged'
  | 'human click'
  | 'robot click'
  | ReportEvent

type Untaken = '' | 'untaken '

/**
 * A report: `retried` counts each failed try before the last. With the class of the time that the try took, if there
 * was one. Instead of a sender it has the hook (counted-hooks.ts).
 */
type ReportEvent = `report ${'sent' | 'retried' | 'failed'}${'' | ` ${number}`}`

/** Part of a turn. */
export interface MessageCount {
  readonly event: MessageEvent
  readonly step: number
  /** Of `delivered`: when the carrier had taken the step, milliseconds; absent if it was given up before. */
  readonly takenAt?: number
}

/** The dimensions by which lines can be grouped. */
export const STATISTICS_KEYS = [
  'account',
  'channel',
  'carrier',
  'operator',
  'country',
  'sender',
  'status',
  'currency',
] as const
export type StatisticsKey = (typeof STATISTICS_KEYS)[number]

/** The dimensions by which messages can be selected. */
export const STATISTICS_FILTERS = ['channel', 'carrier', 'operator', 'country', 'sender'] as const
type StatisticsFilter = (typeof STATISTICS_FILTERS)[number]

/** Figures by which lines can be ranked, and which totals of a group have them: one count, all events, all money. */
export const STATISTICS_ORDERS = {
  asked: 'count',
  taken: 'count',
  delivered: 'count',
  read: 'count',
  failed: 'count',
  deliveredOfTaken: 'events',
  deliveredOfAsked: 'events',
  p50: 'events',
  p95: 'events',
  priceMicros: 'money',
  costMicros: 'money',
  marginMicros: 'money',
} as const
export type StatisticsOrder = keyof typeof STATISTICS_ORDERS

/** Lines without the figure are last, whatever the direction. */
export interface StatisticsRank {
  readonly by: StatisticsOrder
  readonly descending: boolean
}

export interface StatisticsQuery {
  /** Hours since 1970, both included; of days, the first and last hour. */
  readonly from: number
  readonly through: number
  readonly source: 'hours' | 'days'
  /** Null for all. */
  readonly accountId: AccountId | null
  /** Absent: all. */
  readonly only: Readonly<Partial<Record<StatisticsFilter, string>>>
  readonly by: readonly StatisticsKey[]
  /** Hours per line; null for one line of the whole range. */
  readonly slotHours: 1 | 24 | null
  /** The first hours of the days of a zone, ascending: a line for each of these days, from a source of hours. */
  readonly days?: readonly number[]
  /** Only reports, by their hook, which each total has as its sender; otherwise reports have none. */
  readonly ofHooks?: true
  /** Only the totals that this figure of each group takes. A count is one total, without event and currencies. */
  readonly ranking?: StatisticsOrder
  /**
   * Only these groups (`groupOf`) have totals of their own; all others are added up, with OTHER_GROUPS as account and
   * one more total that says how many groups there are (the event `groups`).
   */
  readonly kept?: ReadonlySet<string>
  /** Maximum number of totals. */
  readonly limit: number
}

/** Stands for the account, or any other group, of those that were added up. */
export const OTHER_GROUPS = -2

/** Sums of one event. Dimensions that were not requested, or are unknown, are empty; the slot and account are -1. */
export interface MessageTotal {
  /** The first hour of the line. */
  readonly slot: number
  readonly accountId: number
  readonly channel: string
  readonly carrierId: string
  readonly operator: string
  readonly country: string
  readonly sender: string
  readonly event: MessageEvent | 'groups'
  /** Of the price. */
  readonly currency: string
  /** Empty if the cost is unknown. */
  readonly costCurrency: string
  readonly messages: number
  readonly parts: number
  readonly priceMicros: number
  readonly costMicros: number
}

type GroupedTotal = Pick<MessageTotal, 'accountId' | 'channel' | 'carrierId' | 'operator' | 'country' | 'sender'>

/** Returns the group of a total, whatever its time, event and currencies. */
export function groupOf(total: GroupedTotal): string {
  const { accountId, channel, carrierId, operator, country, sender } = total
  return [accountId, channel, carrierId, operator, country, sender].join('\n')
}

/** A day or an hour, UTC. */
export const DAY_OR_HOUR = '^20\\d\\d-\\d\\d-\\d\\d(T\\d\\d)?$'
export const DAY_OR_HOUR_RULE = 'must be a day or an hour in UTC, such as 2026-11-30 or 2026-11-30T14'

/** What a line covers. */
export const RESOLUTIONS = ['total', 'day', 'hour'] as const
export type Resolution = (typeof RESOLUTIONS)[number]

const HOUR_MS = 3_600_000
export const DAY_HOURS = 24

/** How long statistics are kept, days. */
export const HOURS_KEPT_DAYS = 35
export const DAYS_KEPT_DAYS = 800

/** Returns the hour of a time, since 1970. */
export function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS)
}

type Started = Pick<Message, 'createdAt' | 'journey'>

/**
 * Returns when the message starts: when an operator had it sent, else when it is to be sent, or else when it was
 * accepted; milliseconds.
 */
export function startOf({ createdAt, journey: { sentNowAt, sendAt = createdAt } }: Started): number {
  return sentNowAt ?? Math.max(createdAt, sendAt)
}

/** Returns the hour in which an event of the message counts: that of its start, which an operator may bring forward. */
export function countedIn({ createdAt, journey }: Started, event: MessageEvent): number {
  return hourOf(event === 'unasked' ? (journey.sendAt ?? createdAt) : startOf({ createdAt, journey }))
}

/** Sender names are few per account, but not per installation. */
export function isOfAllAccounts({ accountId, by, only }: StatisticsQuery): boolean {
  return accountId === null && !by.includes('account') && !by.includes('sender') && only.sender === undefined
}
