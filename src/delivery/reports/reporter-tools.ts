/** Dependencies of the reporter. */
import type { Directory } from '../../domain/directory/directory.ts'
import type { HooksOf } from '../../domain/reports/client-hook.ts'
import type { HookPost } from '../../ports/hooks/hook-post.ts'
import type { PendingReport, ReportResult } from '../../ports/records/pending-report.ts'
import type { ReportStore } from '../../ports/stores/report-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import type { Random } from '../../ports/system/random.ts'

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
