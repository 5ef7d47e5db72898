/**
 * Tells the hook of an account that its money runs low, in the transaction that moved it: the report waits in the store
 * until it has arrived.
 */
import { type AccountSettings, toAccountId } from '../../domain/account.ts'
import { bucketOf, makeMessageId } from '../../domain/message-id.ts'
import { toMicros } from '../../domain/money.ts'
import { writeBalanceReport } from '../../domain/report.ts'
import type { Cell } from '../rows/cell.ts'
import { ByBucket } from './by-bucket.ts'
import type { Value } from './link.ts'
import { insertion, rare, type Statement } from './statement.ts'

const ACCOUNTS = rare<[accountId: number, name: string, currency: string, settings: string]>(
  'SELECT account_id, name, currency, settings FROM account WHERE account_id = ANY ($1::bigint[])',
)
export const INSERT_REPORTS = insertion('report', {
  msg_id: 'bigint',
  number: 'integer',
  account_id: 'bigint',
  address: 'text',
  body: 'text',
  created_at: 'bigint',
  state: 'text',
  node: 'integer',
  due_at: 'bigint',
  parked: 'smallint',
  tries: 'integer',
  detail: 'text',
})

export interface LowBalance {
  readonly accountId: number
  readonly availableMicros: number
  readonly thresholdMicros: number
  readonly at: number
}

interface Transaction {
  ask<Row extends readonly Cell[]>(statement: Statement<Row>, ...values: readonly Value[]): Promise<readonly Row[]>
  insert(statement: Statement, bucket: number, rows: readonly (readonly Cell[])[]): void
  /** A message counter that nobody else has. */
  nextCounter(): Promise<number>
}

/** Of nobody who has no default hook. Answers with the buckets in which reports wait now. */
export async function tellLowBalances(
  transaction: Transaction,
  lows: readonly LowBalance[],
): Promise<readonly number[]> {
  const accounts = await transaction.ask(
    ACCOUNTS,
    lows.map(({ accountId }) => accountId),
  )
  const reports = new ByBucket<Cell[]>()
  for (const low of lows) {
    const [, name = '', currency = '', settings = '{}'] = accounts.find(([id]) => id === low.accountId) ?? []
    const { defaultHook: address = null } = JSON.parse(settings) as Partial<AccountSettings>
    if (address === null) continue
    const { availableMicros, thresholdMicros, at } = low
    const accountId = toAccountId(low.accountId)
    const { messageId, number, body } = writeBalanceReport({
      ...{ eventId: makeMessageId(await transaction.nextCounter(), accountId), accountId, name, currency, address, at },
      availableMicros: toMicros(availableMicros),
      thresholdMicros: toMicros(thresholdMicros),
    })
    const row = [messageId, number, accountId, address, body, at, 'pending', 0, at, 0, 0, '']
    reports.add(bucketOf(accountId), row)
  }
  for (const [bucket, rows] of reports.entries()) transaction.insert(INSERT_REPORTS, bucket, rows)
  return reports.entries().map(([bucket]) => bucket)
}
