/** Writes low-balance reports in the transaction that moved the money. */

import type { LowAccount } from '../../rows/money/ledger.ts'
import {
  hasListeners,
  lowBalanceReports,
  openReportedAccount,
  type ReportedAccountRow,
  SELECT_REPORTED_ACCOUNTS,
  toReportedAccount,
} from '../../rows/reports/low-balance-report.ts'
import { rare } from '../connection/statement.ts'
import { type EventReport, writeEventReports } from './event-reports.ts'
import type { Transaction } from './transaction.ts'

const ACCOUNTS = rare<ReportedAccountRow>(`${SELECT_REPORTED_ACCOUNTS} WHERE account.account_id = ANY ($1::bigint[])`)

/** Skips accounts without hooks. Returns the buckets in which reports now wait. */
export async function reportLowBalances(
  transaction: Transaction,
  lows: readonly LowAccount[],
): Promise<readonly number[]> {
  const accounts = await transaction.query(
    ACCOUNTS,
    lows.map(({ accountId }) => accountId),
  )
  const byId = new Map(accounts.map((row) => [row[0], toReportedAccount(openReportedAccount(row, transaction.vault))]))
  const reported = lows.flatMap((low) => {
    const account = byId.get(low.accountId)
    return account !== undefined && hasListeners(account) ? [{ account, low }] : []
  })
  if (reported.length === 0) return []
  const counter = await transaction.nextCounters(reported.length)
  const events = reported.flatMap(({ account, low }, index): EventReport[] =>
    lowBalanceReports(account, low, counter + index).map((report) => ({ report, at: low.at })),
  )
  return writeEventReports(transaction, events)
}
