/** What delivery asks of the store about reports. */
import type { AccountId } from '../domain/account.ts'
import type { HookStop } from '../domain/stopped-hook.ts'
import type { HookClaim, PendingReport, ReportClaim, ReportResult, WaitingHook } from './pending-report.ts'

/** Counting ends there. */
export const MAX_COUNTED_REPORTS = 100_000

export interface HookStopQuery {
  /** Null for all accounts. */
  readonly accountId: AccountId | null
  /** Milliseconds: changes at this time or later. */
  readonly since: number
}

export interface ReportStore {
  /** Takes hold of pending reports that are due and first in line of their message, the longest due first. */
  claimReports(
    claim: ReportClaim,
  ): Promise<{ readonly reports: readonly PendingReport[]; readonly nextDueAt: number | null }>
  /** Takes hold of reports of one hook that wait in the store, first in line of their message, the oldest messages first. */
  claimReportsOf(claim: HookClaim): Promise<readonly PendingReport[]>
  /** The hooks with reports that wait in the store, some of each account, in any order. */
  waitingHooks(): Promise<readonly WaitingHook[]>
  /** Records what became of reports. Answers with the reports that are now first in line, held by this node and due at once. */
  settleReports(results: readonly ReportResult[]): Promise<readonly PendingReport[]>
  /** Hooks that answered 410 or were resumed after that, the newest change first; a bounded number. */
  stoppedHooks(query: HookStopQuery): Promise<readonly HookStop[]>
}
