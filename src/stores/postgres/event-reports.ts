/** Writes reports of account events. A report waits in the store until the hook has taken it. */
import { bucketOfMessage } from '../../domain/message-id.ts'
import type { Report } from '../../domain/report.ts'
import type { Cell } from '../rows/cell.ts'
import { ByBucket } from './by-bucket.ts'
import { insertion, type Statement } from './statement.ts'

/** Of NewReportRows, each completed by UNTRIED. */
export const INSERT_REPORTS = insertion('report', {
  msg_id: 'bigint',
  number: 'integer',
  account_id: 'bigint',
  address: 'text',
  body: 'text',
  created_at: 'bigint',
  node: 'integer',
  due_at: 'bigint',
  parked: 'smallint',
  state: 'text',
  tries: 'integer',
  detail: 'text',
})

/** State, tries and detail of a report that was never tried. */
export const UNTRIED = ['pending', 0, ''] as const

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
  const rows = new ByBucket<Cell[]>()
  for (const { report, at } of events) {
    const { messageId, number, accountId, address, body } = report
    rows.add(bucketOfMessage(messageId), [messageId, number, accountId, address, body, at, 0, at, 0, ...UNTRIED])
  }
  transaction.insert(INSERT_REPORTS, rows)
  return rows.entries().map(([bucket]) => bucket)
}
