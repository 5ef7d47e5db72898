/** The reports of a bulk's end: to the hook of its message, and to the client's hooks that want them. */
import type { BulkView } from '../../../domain/bulk/bulk.ts'
import { addressed, hooksFor } from '../../../domain/reports/client-hook.ts'
import { type Report, writeBulkReport } from '../../../domain/reports/report.ts'
import { type ReportedAccountRow, toReportedAccount } from '../reports/low-balance-report.ts'

/** `account` is that of the bulk. */
export function bulkReports(bulk: BulkView, account: ReportedAccountRow | undefined, at: number): readonly Report[] {
  if (account === undefined) return []
  const { listeners } = toReportedAccount(account)
  return addressed(writeBulkReport(bulk, at), bulk.hook, hooksFor(listeners, 'bulk.finished', bulk.hook))
}
