/** Writes reports of account events. A report waits in the store until the hook has taken it. */
import { bucketOfMessage } from '../../domain/message-id.ts'
import type { Report } from '../../domain/report.ts'
import type { Cell } from '../rows/cell.ts'
import { waitingRow } from '../rows/report-row.ts'
import type { ByBucket } from './by-bucket.ts'
import { insertReports } from './insert-reports.ts'
import type { Statement } from './statement.ts'

export interface EventReport {
  /** Its body is as stored. */
  readonly report: Report
  /** Milliseconds. */
  readonly at: number
}

interface Transaction {
  insert(statement: Statement, rows: ByBucket<readonly Cell[]>): void
}

/** Returns the buckets in which reports now wait. */
export function writeEventReports(transaction: Transaction, events: readonly EventReport[]): readonly number[] {
  insertReports(
    transaction,
    events.map(({ report: { messageId, number, accountId, address, body }, at }) =>
      waitingRow([messageId, number, accountId, address, body, at]),
    ),
  )
  return [...new Set(events.map(({ report }) => bucketOfMessage(report.messageId)))]
}
