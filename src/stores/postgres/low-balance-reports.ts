/** Writes low-balance reports in the transaction that moved the money. */
import type { Cell } from '../rows/cell.ts'
import type { LowBalance } from '../rows/ledger.ts'
import { hookOf, lowBalanceReport } from '../rows/low-balance-report.ts'
import type { ByBucket } from './by-bucket.ts'
import { type EventReport, writeEventReports } from './event-reports.ts'
import type { Value } from './link.ts'
import { rare, type Statement } from './statement.ts'

const ACCOUNTS = rare<[accountId: number, name: string, currency: string, settings: string]>(
  'SELECT account_id, name, currency, settings FROM account WHERE account_id = ANY ($1::bigint[])',
)

interface Transaction {
  query<Row extends readonly Cell[]>(statement: Statement<Row>, ...values: readonly Value[]): Promise<readonly Row[]>
  insert(statement: Statement, rows: ByBucket<readonly Cell[]>): void
  /** Returns an unused message counter. */
  nextCounter(): Promise<number>
}

/** Skips accounts without a default hook. Returns the buckets in which reports now wait. */
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
    const [, name = '', currency = '', settings = '{}'] = accounts.find(([id]) => id === low.accountId) ?? []
    const account = { name, currency, settings }
    const address = hookOf(account)
    if (address === null) continue
    events.push({ report: lowBalanceReport(account, address, low, await transaction.nextCounter()), at: low.at })
  }
  return writeEventReports(transaction, events)
}
