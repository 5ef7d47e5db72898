/**
 * BACK: finds the parts of carriers' ids. A receipt with an unknown id is parked until `record` writes the id; a repeat
 * is parked once, and no copy is parked if another one is matched. Repeating it after a failure has the same result, so
 * it needs no transaction.
 */
import type { CarrierReceipt } from '../../../ports/carriers/carrier.ts'
import type { ReceiptAddress, ReceiptCopy } from '../../../ports/carriers/receipt-address.ts'
import { bucketOfRef } from '../../rows/cells/bucket-of-ref.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { bounded } from '../../rows/cells/kept-text.ts'
import { toPeersCell } from '../../rows/messages/early-receipt.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import type { Connection } from '../connection/connection.ts'
import { insertion } from '../connection/statement.ts'
import { columnsOf } from '../session/session.ts'
import { keyOfReceipt, unpark } from './early-receipts.ts'
import { findAddresses } from './find-addresses.ts'

const PARK = insertion(
  'early_receipt',
  'carrier_id, ref, outcome, detail, category, peers, at, node',
  'ON CONFLICT DO NOTHING',
)

export async function matchReceipts(
  connection: Connection,
  node: number,
  receipts: readonly ReceiptCopy[],
  now: number,
): Promise<readonly (ReceiptAddress | null)[]> {
  const addresses = await findAddresses(connection, receipts)
  const known = new Set(receipts.flatMap((receipt, place) => (addresses[place] === null ? [] : idOf(receipt))))
  const unmatched = receipts.flatMap((receipt, place) => {
    const { ref, peers = [] } = receipt
    const isKnown = addresses[place] !== null || peers.some((carrierId) => known.has(idOf({ carrierId, ref })))
    return isKnown ? [] : [{ receipt, place }]
  })
  if (unmatched.length === 0) return addresses
  // The id may be recorded at this moment: its node looks for receipts after its commit, and this one looks for ids
  // again.
  const found = await parkAndLookAgain(
    connection,
    node,
    unmatched.map(({ receipt }) => receipt),
    now,
  )
  for (const [index, { place }] of unmatched.entries()) addresses[place] = found[index] ?? null
  return addresses
}

async function parkAndLookAgain(
  connection: Connection,
  node: number,
  receipts: readonly ReceiptCopy[],
  now: number,
): Promise<readonly (ReceiptAddress | null)[]> {
  const rows = new ByBucket<Cell[]>()
  for (const receipt of receipts) {
    const { carrierId, ref, outcome, detail, category = null } = receipt
    const row = [carrierId, ref, outcome, bounded(detail), category, toPeersCell(receipt), now, 0]
    rows.add(bucketOfRef(carrierId, ref), row)
  }
  const parked = rows.entries().map(([bucket, each]) => connection.query(PARK, bucket, node, ...columnsOf(each)))
  const [addresses] = await Promise.all([findAddresses(connection, receipts), ...parked])
  const known = receipts.filter((_, place) => addresses[place] !== null)
  // Unless the node that recorded the id has it by now.
  const mine = await unpark(
    connection,
    known.flatMap(({ carrierId, ref, outcome, peers = [] }) => {
      return [carrierId, ...peers].map((each) => ({ carrierId: each, ref, outcome }))
    }),
  )
  return receipts.map(({ carrierId, ref, outcome }, place) => {
    return mine.has(keyOfReceipt([carrierId, ref, outcome])) ? (addresses[place] ?? null) : null
  })
}

function idOf({ carrierId, ref }: Pick<CarrierReceipt, 'carrierId' | 'ref'>): string {
  return `${carrierId} ${ref}`
}
