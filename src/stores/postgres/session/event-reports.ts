/** Writes reports of account events. A report waits in the store until the hook has taken it. */

import { bucketOfMessage } from '../../../domain/ids/message-id.ts'
import type { Report } from '../../../domain/reports/report.ts'
import { waitingReportRow } from '../../rows/reports/report-row.ts'
import { insertReports } from './insert-reports.ts'
import type { Transaction } from './transaction.ts'

export interface EventReport {
  /** Its body is as stored. */
  readonly report: Report
  /** Milliseconds. */
  readonly at: number
}

/** Returns the buckets in which reports now wait. */
export function writeEventReports(transaction: Transaction, events: readonly EventReport[]): readonly number[] {
  const { addresses } = transaction.vault
  insertReports(
    transaction,
    events.map(({ report: { messageId, number, accountId, address, body }, at }) =>
      waitingReportRow([messageId, number, accountId, addresses.seal(address), body, at]),
    ),
  )
  return [...new Set(events.map(({ report }) => bucketOfMessage(report.messageId)))]
}
