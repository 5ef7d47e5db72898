/** What the parts of a transaction need of it: a Session. */
import type { Vault } from '../../../ports/system/vault.ts'
import type { Cell, Value } from '../../rows/cells/cell.ts'
import type { ByBucket } from '../connection/by-bucket.ts'
import type { SqlStatement } from '../connection/statement.ts'

type Rows = ByBucket<readonly Cell[]>

export interface Transaction {
  readonly vault: Vault
  readonly booksFrom: number
  query<Row extends readonly Cell[]>(statement: SqlStatement<Row>, ...values: readonly Value[]): Promise<readonly Row[]>
  queryRows<Row extends readonly Cell[]>(statement: SqlStatement<Row>, rows: Rows): Promise<readonly Row[]>
  update(statement: SqlStatement, rows: Rows): void
  insert(statement: SqlStatement, rows: Rows): void
  write(statement: SqlStatement, ...values: readonly Value[]): void
  /** Returns the first of so many unused message counters. */
  nextCounters(count: number): Promise<number>
  /** Reports wait in these buckets that no node was notified of. */
  noteReports(buckets: readonly number[]): void
}
