/** Writes reports of account events. A report waits in the store until the hook has taken it. */
import { bucketOfMessage } from '../../../domain/ids/message-id.ts'
import type { Report } from '../../../domain/reports/report.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { waitingRow } from '../../rows/reports/report-row.ts'
import type { ByBucket } from '../connection/by-bucket.ts'
import type { Statement } from '../connection/statement.ts'
import { insertReports } from './insert-reports.ts'

export interface EventReport {
  /** Its body is as stored. */
  readonly report: Report
  /** Milliseconds. */
  readonly at: number
}

interface Transaction {
  readonly vault: Vault
  insert(statement: Statement, rows: ByBucket<readonly Cell[]>): void
}

/** Returns the buckets in which reports now wait. */
export function writeEventReports(transaction: Transaction, events: readonly EventReport[]): readonly number[] {
  const { addresses } = transaction.vault
  insertReports(
    transaction,
    events.map(({ report: { messageId, number, accountId, address, body }, at }) =>
      waitingRow([messageId, number, accountId, addresses.seal(address), body, at]),
    ),
  )
  return [...new Set(events.map(({ report }) => bucketOfMessage(report.messageId)))]
}
