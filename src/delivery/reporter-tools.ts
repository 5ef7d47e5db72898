/** Dependencies of the reporter. */
import type { HooksOf } from '../domain/client-hook.ts'
import type { Directory } from '../domain/directory.ts'
import type { Clock } from '../ports/clock.ts'
import type { HookPost } from '../ports/hook-post.ts'
import type { Log } from '../ports/log.ts'
import type { PendingReport, ReportResult } from '../ports/pending-report.ts'
import type { Random } from '../ports/random.ts'
import type { ReportStore } from '../ports/report-store.ts'

export interface ReporterTools {
  readonly store: ReportStore
  readonly hookPost: HookPost
  readonly directory: () => Directory
  readonly hooksOf: HooksOf
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Called with the result of every report that is in the store, for metrics. */
  readonly onReport?: (report: PendingReport, result: ReportResult) => void
}
