/**
 * What a transaction on PostgreSQL adds to the statistics of messages: written once, before the commit. Rows of all
 * accounts are in one bucket, whichever bucket they count.
 */

import { bucketOf } from '../../../domain/ids/message-id.ts'
import {
  ALL_ACCOUNTS,
  type CountRow,
  type MessageTotalRow,
  TOTAL_KEY,
  TOTAL_SUMS,
  TotalSums,
} from '../../rows/statistics/message-total.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import { insertion, rare, typesOf, unnest } from '../connection/statement.ts'
import type { Transaction } from './transaction.ts'

const SUMS = TOTAL_SUMS.map((sum) => `${sum} = message_total.${sum} + excluded.${sum}`)
const COLUMNS = `${TOTAL_KEY}, ${TOTAL_SUMS.join(', ')}`
/** In one order everywhere, so that nodes do not deadlock. */
const IN_ORDER = `ORDER BY bucket, ${TOTAL_KEY} ON CONFLICT (bucket, ${TOTAL_KEY}) DO UPDATE SET ${SUMS.join(', ')}`
const ADD = insertion('message_total', COLUMNS, IN_ORDER)
/** Without a lease of this bucket: the transaction has that of the bucket whose rows it moves. */
const ADD_OF_ALL = rare(
  `INSERT INTO message_total (bucket, ${COLUMNS})
   SELECT $1::smallint AS bucket, new.* FROM ${unnest(typesOf('message_total', COLUMNS), 2)} WHERE true ${IN_ORDER}`,
)
export class BucketTotals {
  readonly #totals = new Map<number, TotalSums>()

  of(bucket: number): TotalSums {
    const known = this.#totals.get(bucket)
    if (known !== undefined) return known
    const totals = new TotalSums()
    this.#totals.set(bucket, totals)
    return totals
  }

  count(rows: readonly CountRow[], times = 1): void {
    for (const row of rows) this.of(bucketOf(row[1])).count([row], times)
  }

  /** Writes them, last before the commit. */
  write(transaction: Transaction): void {
    const rows = new ByBucket<MessageTotalRow>()
    const ofAll = new TotalSums()
    for (const [bucket, totals] of this.#totals)
      for (const row of totals.take()) {
        if (row[2] === ALL_ACCOUNTS) ofAll.add(row)
        else rows.add(bucket, row)
      }
    transaction.insert(ADD, rows)
    // Last, because transactions of all nodes wait for these rows.
    transaction.update(
      ADD_OF_ALL,
      ByBucket.of(ofAll.take(), ([, , account]) => bucketOf(account)),
    )
  }
}
