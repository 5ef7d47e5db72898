/**
 * A receipt waiting for the id of its part, as a row. Once it is assigned to a message it stays, with the node and the
 * part, until it is swept, because the node may crash before applying it. It matches no other message: a carrier may
 * use an id again.
 */

import type { CarrierReceipt } from '../../../ports/carriers/carrier.ts'
import type { EarlyReceipt, ReceiptAddress, ReceiptCopy } from '../../../ports/carriers/receipt-address.ts'
import type { CellsOf } from '../cells/cells-of.ts'

/** Its columns, in this order. */
export const EARLY_RECEIPT_COLUMNS = 'carrier_id, ref, outcome, detail, category, peers'

export type EarlyReceiptRow = CellsOf<
  'early_receipt',
  typeof EARLY_RECEIPT_COLUMNS,
  { outcome: CarrierReceipt['outcome'] }
>

export function toEarlyReceipt(
  row: readonly [...EarlyReceiptRow, ...unknown[]],
  address: ReceiptAddress,
): EarlyReceipt {
  const [carrierId, ref, outcome, detail, category] = row
  const receipt = { carrierId, ref, outcome, detail, ...(category === null ? {} : { category }) }
  const peers = peersOf(row)
  return peers.length === 0 ? { receipt, address } : { receipt, address, peers }
}

/** Returns the carriers of the other copies. */
export function peersOf([, , , , , peers]: readonly [...EarlyReceiptRow, ...unknown[]]): readonly string[] {
  return peers === null ? [] : (JSON.parse(peers) as string[])
}

export function toPeersCell({ peers = [] }: ReceiptCopy): string | null {
  return peers.length === 0 ? null : JSON.stringify(peers)
}
