/** A report as stored, before and after its hook has received it. */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { Report } from '../../domain/reports/report.ts'
import type { ReportTry } from '../../domain/reports/report-tries.ts'

export interface PendingReport extends Report {
  /** The `traceparent` of its message. Known only to the node that made the report, until it waits in the store. */
  readonly trace?: string
  /** Failed tries so far. */
  readonly tries: number
  readonly createdAt: number
  /** Milliseconds: when retries end (report-schedule.ts). */
  readonly endsAt: number
}

/**
 * What a pending report waits for: its next try, its hook to answer again, or an earlier report of its message.
 * `sending`: a gateway has it in memory, and posts it now or within seconds.
 */
export type WaitsFor = 'sending' | 'retry' | 'hook' | 'earlier report'

export interface TracedReport extends Omit<PendingReport, 'endsAt'> {
  readonly state: 'pending' | 'sent' | 'failed'
  readonly detail: string
  /** The last try, or when it was given up; null before. */
  readonly triedAt: number | null
  /** Milliseconds: when it is tried next, or ends; null behind another report, and once it is sent or failed. */
  readonly dueAt: number | null
  /** Null once it is sent or failed, and for an event of a feed. */
  readonly waitsFor: WaitsFor | null
  /** The oldest first, a bounded number; none if the first try succeeded or is still to come. */
  readonly triesMade: readonly ReportTry[]
}

/** The reports of one message in one state. */
export interface ReportTally extends Pick<TracedReport, 'messageId' | 'state'> {
  readonly count: number
  /** Milliseconds: the last try of one of them; null if none was tried. */
  readonly triedAt: number | null
  /** The result of that try; empty once it is no longer kept. */
  readonly detail: string
}

/** The reports of an account to one hook in one state. */
export interface HookTally extends Pick<ReportTally, 'triedAt' | 'detail'> {
  /** `hookOf` its addresses. */
  readonly hook: string
  readonly state: 'pending' | 'failed'
  readonly count: number
}

/** Maximum of reports of an account in each state that a tally of its hooks looks at. */
export const MAX_TALLIED_REPORTS = 10_000

/** Maximum of hooks in one answer about what waits, the accounts with the lowest numbers first. */
export const MAX_WAITS = 200
/** Maximum of waiting reports of a hook that are counted. */
export const MAX_WAITING_COUNTED = 1_000
/** Maximum of waiting reports of a hook that an operator has tried at a time: a change must not delay messages. */
export const MAX_TRIED_REPORTS = 10_000

/** The reports that wait in the store for a hook. Some more may be in the memory of gateways. */
export interface HookWait extends AccountHook {
  readonly waiting: number
  /** Milliseconds: when the oldest was written. */
  readonly oldestAt: number
  /** The first failed try of one of them; null if none was tried. */
  readonly failingSince: number | null
  readonly triedAt: number | null
  /** The result of the last try. */
  readonly detail: string
  /** The next try; null if all wait for the hook to answer again. */
  readonly nextAt: number | null
}

/** Selects reports for an operator; null matches any. */
export interface ReportFilter {
  readonly messageId: MessageId | null
  readonly accountId: AccountId | null
  /** Of the hook, as the client gave it; without a query, all reports to the hook (`hookOf`). */
  readonly address: string | null
  /** Milliseconds: only reports written at this time or later. */
  readonly since: number | null
  /** Milliseconds: only reports written before this time; absent or null for all. */
  readonly until?: number | null
}

export interface ReportClaim {
  readonly now: number
  readonly limit: number
}

/** The hook of an account (`hookOf`), whose addresses differ only in the query. */
export interface AccountHook {
  readonly accountId: AccountId
  readonly hook: string
}

/** Claims reports of one hook, due or not: the hook can take them now. */
export interface HookClaim extends AccountHook {
  /** Also claims reports that failed at this time or later, besides parked ones; null for parked ones only. */
  readonly failedSince: number | null
  readonly limit: number
}

export interface WaitingHook extends AccountHook {
  /** Whether some of its reports are parked; all others wait for their retry. */
  readonly parked: boolean
}

export interface ReportResult {
  readonly messageId: MessageId
  readonly number: number
  /**
   * Of a try: `sent`; `later`, another try at `dueAt`; `failed`, the last try; `gone`, the hook answered 410, which
   * also stops its address. Without a try: `parked`, until its hook can take it or `dueAt`; `unsent`, given up.
   */
  readonly kind: 'sent' | 'later' | 'failed' | 'gone' | 'parked' | 'unsent'
  readonly at: number
  readonly dueAt: number | null
  /** Whether this node keeps it in memory until `dueAt`. */
  readonly held: boolean
  /** The status or the error, bounded. */
  readonly detail: string
  /** How long the try took, milliseconds. */
  readonly tookMs?: number
  /** The name under which it is counted (counted-hooks.ts); absent without one. */
  readonly hook?: string
  /** With `gone`: the report is about a test message, and stops the hook for those only. */
  readonly test?: boolean
}
