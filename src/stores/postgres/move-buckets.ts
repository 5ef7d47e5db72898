/** Determines the bucket of a row from a database without buckets: the rule of each table. */
import type { AccountId } from '../../domain/ids/account-id.ts'
import { BUCKETS, bucketOf, bucketOfMessage, type MessageId } from '../../domain/ids/message-id.ts'
import type { Rows } from '../move/move-end.ts'
import { bucketOfCarrier, bucketOfRef } from '../rows/cells/bucket-of-ref.ts'
import type { Cell } from '../rows/cells/cell.ts'
import type { BucketRule } from '../tables/declaration.ts'
import { bucketOfInbound } from './inbound/write-inbound.ts'
import { bucketOfLimit } from './requests/admission-facts.ts'

export class RowBuckets {
  readonly #rule: BucketRule
  readonly #columns: readonly string[]

  constructor(rule: BucketRule, columns: readonly string[]) {
    this.#rule = rule
    this.#columns = columns
  }

  /** Returns the rows with their bucket in front. */
  place(rows: Rows): Rows {
    return rows.flatMap((row) => this.#bucketsOf(row).map((bucket) => [bucket, ...row]))
  }

  #bucketsOf(row: readonly Cell[]): readonly number[] {
    const cell = (column: string) => row[this.#columns.indexOf(column)] ?? null
    const account = () => Number(cell('account_id')) as AccountId
    switch (this.#rule) {
      case 'account':
        return [bucketOf(account())]
      case 'message':
        return [bucketOfMessage(Number(cell('msg_id')) as MessageId)]
      case 'bulk':
        return [bucketOfMessage(Number(cell('bulk_id')) as MessageId)]
      case 'carrier':
        return [bucketOfCarrier(String(cell('carrier_id')))]
      case 'inbound':
        return [bucketOfInbound({ carrierId: String(cell('carrier_id')), accountId: cell('account_id') })]
      case 'carrier id':
        return [bucketOfRef(String(cell('carrier_id')), String(cell('ref')))]
      case 'usage':
        return [bucketOfLimit({ accountId: account() === 0 ? null : account(), key: String(cell('key')) })]
      case 'every':
        return Array.from({ length: BUCKETS }, (_, bucket) => bucket)
    }
  }
}
