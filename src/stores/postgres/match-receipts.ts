/**
 * BACK: finds the parts of carriers' ids. A receipt with an unknown id is parked until `record` writes the id; a repeat
 * is parked once. Repeating it after a failure has the same result, so it needs no transaction.
 */
import type { CarrierReceipt } from '../../ports/carrier.ts'
import type { ReceiptAddress } from '../../ports/receipt-address.ts'
import type { Cell } from '../rows/cell.ts'
import { bounded } from '../rows/kept-text.ts'
import { bucketOfRef } from './bucket-of.ts'
import { ByBucket } from './by-bucket.ts'
import { findAddresses, keyOf } from './early-receipts.ts'
import type { Link } from './link.ts'
import { columnsOf } from './session.ts'
import { inBucket, insertion, unnest } from './statement.ts'

const PARK = insertion(
  'early_receipt',
  { carrier_id: 'text', ref: 'text', outcome: 'text', detail: 'text', category: 'text', at: 'bigint', node: 'integer' },
  'ON CONFLICT DO NOTHING',
)
/** Unless the node that recorded its id has it by now. */
const UNPARK = inBucket<[carrierId: string, ref: string, outcome: string]>(
  `DELETE FROM early_receipt USING ${unnest({ carrier_id: 'text', ref: 'text', outcome: 'text' }, 2)}
   WHERE early_receipt.bucket = $1 AND early_receipt.carrier_id = new.carrier_id
     AND early_receipt.ref = new.ref AND early_receipt.outcome = new.outcome AND early_receipt.node = 0
   RETURNING early_receipt.carrier_id, early_receipt.ref, early_receipt.outcome`,
)

export async function matchReceipts(
  link: Link,
  node: number,
  receipts: readonly CarrierReceipt[],
  now: number,
): Promise<readonly (ReceiptAddress | null)[]> {
  const addresses = await findAddresses(link, receipts)
  const unmatched = receipts.flatMap((receipt, place) => (addresses[place] === null ? [{ receipt, place }] : []))
  if (unmatched.length === 0) return addresses
  // The id may be recorded at this moment: its node looks for receipts after its commit, and this one looks for ids
  // again.
  const found = await parkAndLookAgain(
    link,
    node,
    unmatched.map(({ receipt }) => receipt),
    now,
  )
  for (const [index, { place }] of unmatched.entries()) addresses[place] = found[index] ?? null
  return addresses
}

async function parkAndLookAgain(
  link: Link,
  node: number,
  receipts: readonly CarrierReceipt[],
  now: number,
): Promise<readonly (ReceiptAddress | null)[]> {
  const rows = new ByBucket<Cell[]>()
  for (const { carrierId, ref, outcome, detail, category = null } of receipts) {
    rows.add(bucketOfRef(carrierId, ref), [carrierId, ref, outcome, bounded(detail), category, now, 0])
  }
  const parked = rows.entries().map(([bucket, each]) => link.query(PARK, bucket, node, ...columnsOf(each)))
  const [addresses] = await Promise.all([findAddresses(link, receipts), ...parked])
  const known = new ByBucket<Cell[]>()
  for (const [place, { carrierId, ref, outcome }] of receipts.entries()) {
    if (addresses[place] !== null) known.add(bucketOfRef(carrierId, ref), [carrierId, ref, outcome])
  }
  const unparked = await Promise.all(
    known.entries().map(([bucket, each]) => link.query(UNPARK, bucket, ...columnsOf(each))),
  )
  const mine = new Set(unparked.flat().map(keyOf))
  return receipts.map(({ carrierId, ref, outcome }, place) => {
    return mine.has(keyOf([carrierId, ref, outcome])) ? (addresses[place] ?? null) : null
  })
}
