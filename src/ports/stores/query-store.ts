/** The store's part in reading: pages, traces, balances, statements and statistics for operators. */
import type { UsageWindow, Used } from '../../domain/guards/guards.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { AccountInbound } from '../../domain/inbound/inbound-message.ts'
import type { Balances } from '../../domain/money/ledger.ts'
import type { ChargeTotal } from '../../domain/money/margin.ts'
import type { Micros } from '../../domain/money/money.ts'
import type { AccountMonth } from '../../domain/money/statement.ts'
import type { CallQuery, CallTotal } from '../../domain/statistics/call-statistics.ts'
import type { MessageTotal, StatisticsQuery } from '../../domain/statistics/message-statistics.ts'
import type { ZonedMonth } from '../../domain/time/zoned-month.ts'
import type { InboundMessage } from '../carriers/carrier.ts'
import type { Months } from '../changes/money-change.ts'
import type { Page, PageQuery, PageRows } from '../records/pages.ts'
import type { HookTally, HookWait, ReportFilter, ReportTally, TracedReport } from '../records/pending-report.ts'
import type { LinkTotal, LinkTotalQuery } from '../records/short-link.ts'
import type { InboundTrace, Trace } from '../records/trace.ts'

export interface QueryStore {
  page<Of extends PageQuery['of']>(query: Extract<PageQuery, { of: Of }>): Promise<Page<PageRows[Of]>>
  balancesOf(accountId: AccountId): Promise<Balances | null>
  /** Returns the money on hold for open messages of an account, or of all for null, in the order of currencies. */
  holds(accountId: AccountId | null): Promise<readonly HoldTotal[]>
  /** Returns what was used in each of these windows, in their order, which messages of the account count towards. */
  usageIn(accountId: AccountId, windows: readonly UsageWindow[]): Promise<readonly Used[]>
  trace(id: MessageId): Promise<Trace | null>
  /** Returns the reports of a message, an inbound message or another event, in the order of their numbers. */
  reportsOf(id: MessageId): Promise<readonly TracedReport[]>
  traceInbound(id: MessageId): Promise<InboundTrace | null>
  /** Returns the last `limit` inbound messages, the newest first. */
  inboundMessages(limit: number): Promise<readonly InboundMessage[]>
  /** Returns inbound messages of an account, the oldest first. */
  inboundOf(query: InboundQuery): Promise<readonly AccountInbound[]>
  /** Returns the newest replies to each of these messages of an account, the newest first; a bounded number. */
  repliesTo(accountId: AccountId, ids: readonly MessageId[]): Promise<readonly AccountInbound[]>
  accountMonth(accountId: AccountId, month: ZonedMonth): Promise<AccountMonth>
  /** Returns the state of the reports of an account's messages, in any order; nothing for messages without reports. */
  tallyReports(accountId: AccountId, ids: readonly MessageId[]): Promise<readonly ReportTally[]>
  /** Returns how many reports of an account wait or have failed, by hook, without those of the event feed. */
  tallyHooks(accountId: AccountId): Promise<readonly HookTally[]>
  /** Returns the hooks that reports wait for, of one account or of all with null; a bounded number. */
  hookWaits(accountId: AccountId | null): Promise<readonly HookWait[]>
  /** Returns how many reports of the filter there are at this time; each number is at most MAX_COUNTED_REPORTS. */
  countReports(filter: ReportFilter & { readonly at: number }): Promise<ReportCounts>
  /** Returns the charges of these accounts, in the order of their ids. */
  chargeTotals(query: ChargeQuery): Promise<readonly ChargeTotal[]>
  /** Returns the statistics of messages of a range of hours, grouped as the query says, in any order. */
  messageTotals(query: StatisticsQuery): Promise<readonly MessageTotal[]>
  /** Returns the next clicks by target, in the order of day, account, bulk and target. */
  linkTotals(query: LinkTotalQuery): Promise<readonly LinkTotal[]>
  /** Returns the calls of a range of days, grouped and sorted as the query says. */
  callTotals(query: CallQuery): Promise<readonly CallTotal[]>
}

export interface ChargeQuery extends Months {
  readonly accounts: readonly AccountId[]
}

/** Every currency of accounts that are not closed has one, and that of the account that was asked for. */
export interface HoldTotal {
  readonly currency: string
  readonly heldMicros: Micros
  /** Number of accounts with money on hold. */
  readonly accounts: number
}

export interface InboundQuery {
  readonly accountId: AccountId
  /** Only messages with a larger id; null for all. */
  readonly after: number | null
  readonly limit: number
  /** Of their texts as stored; at least one message is returned. */
  readonly maxBytes: number
}

export interface ReportCounts {
  readonly failed: number
  /** Those that wait in the store. */
  readonly waiting: number
  /** Those of the failed ones whose hook is stopped: they are not sent again. */
  readonly stopped: number
}

/** The highest number that `countReports` returns. */
export const MAX_COUNTED_REPORTS = 100_000

/** How long calls stay in the statistics, days. */
export const CALLS_COUNTED_DAYS = 800
