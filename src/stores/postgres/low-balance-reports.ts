/** Writes low-balance reports in the transaction that moved the money. */
import type { Cell } from '../rows/cell.ts'
import type { LowBalance } from '../rows/ledger.ts'
import {
  hasListeners,
  lowBalanceReports,
  type ReportedAccountRow,
  SELECT_REPORTED_ACCOUNTS,
  toReportedAccount,
} from '../rows/low-balance-report.ts'
import type { ByBucket } from './by-bucket.ts'
import { type EventReport, writeEventReports } from './event-reports.ts'
import type { Value } from './link.ts'
import { rare, type Statement } from './statement.ts'

const ACCOUNTS = rare<ReportedAccountRow>(`${SELECT_REPORTED_ACCOUNTS} WHERE account.account_id = ANY ($1::bigint[])`)

interface Transaction {
  query<Row extends readonly Cell[]>(statement: Statement<Row>, ...values: readonly Value[]): Promise<readonly Row[]>
  insert(statement: Statement, rows: ByBucket<readonly Cell[]>): void
  /** Returns an unused message counter. */
  nextCounter(): Promise<number>
}

/** Skips accounts without hooks. Returns the buckets in which reports now wait. */
export async function reportLowBalances(
  transaction: Transaction,
  lows: readonly LowBalance[],
): Promise<readonly number[]> {
  const accounts = await transaction.query(
    ACCOUNTS,
    lows.map(({ accountId }) => accountId),
  )
  const events: EventReport[] = []
  for (const low of lows) {
    const row = accounts.find(([id]) => id === low.accountId)
    if (row === undefined) continue
    const [, ...cells] = row
    const account = toReportedAccount(...cells)
    if (!hasListeners(account)) continue
    const reports = lowBalanceReports(account, low, await transaction.nextCounter())
    events.push(...reports.map((report) => ({ report, at: low.at })))
  }
  return writeEventReports(transaction, events)
}
