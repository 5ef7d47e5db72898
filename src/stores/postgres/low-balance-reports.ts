/**
 * Writes low-balance reports in the transaction that moved the money. A report waits in the store until the hook has
 * taken it.
 */
import { bucketOfMessage } from '../../domain/message-id.ts'
import type { Cell } from '../rows/cell.ts'
import type { LowBalance } from '../rows/ledger.ts'
import { hookOf, lowBalanceReport } from '../rows/low-balance-report.ts'
import { ByBucket } from './by-bucket.ts'
import type { Value } from './link.ts'
import { insertion, rare, type Statement } from './statement.ts'

const ACCOUNTS = rare<[accountId: number, name: string, currency: string, settings: string]>(
  'SELECT account_id, name, currency, settings FROM account WHERE account_id = ANY ($1::bigint[])',
)
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
  const reports = new ByBucket<Cell[]>()
  for (const low of lows) {
    const { accountId, at } = low
    const [, name = '', currency = '', settings = '{}'] = accounts.find(([id]) => id === accountId) ?? []
    const account = { name, currency, settings }
    const address = hookOf(account)
    if (address === null) continue
    const { messageId, number, body } = lowBalanceReport(account, address, low, await transaction.nextCounter())
    const row = [messageId, number, accountId, address, body, at, 0, at, 0, ...UNTRIED]
    reports.add(bucketOfMessage(messageId), row)
  }
  transaction.insert(INSERT_REPORTS, reports)
  return reports.entries().map(([bucket]) => bucket)
}
