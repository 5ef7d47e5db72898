/** The store's part in reports: claimed, sent and settled. */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { HookStop } from '../../domain/reports/stopped-hook.ts'
import type { HookClaim, PendingReport, ReportClaim, ReportResult, WaitingHook } from '../records/pending-report.ts'

export interface HookStopQuery {
  /** Null for all accounts. */
  readonly accountId: AccountId | null
  /** Milliseconds: changes at this time or later. */
  readonly since: number
}

export interface ReportStore {
  /** Claims pending reports that are due and first in line of their message, the longest due first. */
  claimReports(
    claim: ReportClaim,
  ): Promise<{ readonly reports: readonly PendingReport[]; readonly nextDueAt: number | null }>
  /** Claims waiting reports of one hook that are first in line of their message, the oldest messages first. */
  claimReportsOf(claim: HookClaim): Promise<readonly PendingReport[]>
  /** Returns the hooks with reports that wait in the store, some of each account, in any order. */
  waitingHooks(): Promise<readonly WaitingHook[]>
  /**
   * Records the results of reports. Returns the reports that are now first in line, held by this node and due at once.
   */
  settleReports(results: readonly ReportResult[]): Promise<readonly PendingReport[]>
  /** Returns hooks that answered 410 or were resumed after that, the newest change first; a bounded number. */
  stoppedHooks(query: HookStopQuery): Promise<readonly HookStop[]>
}
