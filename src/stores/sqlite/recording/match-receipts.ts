/**
 * BACK: finds the parts of carriers' ids. A receipt with an unknown id is parked until `record` writes the id; a repeat
 * is parked once, and no copy is parked if another one is matched.
 */
import type { ReceiptAddress, ReceiptCopy } from '../../../ports/carriers/receipt-address.ts'
import { bounded } from '../../rows/cells/kept-text.ts'
import { EARLY_RECEIPT_COLUMNS, toPeersCell } from '../../rows/messages/early-receipt.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'
import { findAddress } from './find-addresses.ts'

export function matchReceipts(session: Session) {
  const find = findAddress(session)
  const park = new SqlStatement(
    session.database,
    `INSERT OR IGNORE INTO early_receipt (${EARLY_RECEIPT_COLUMNS}, at, node) VALUES (?, ?, ?, ?, ?, ?, ?, 0)`,
  )
  return (receipts: readonly ReceiptCopy[], now: number): (ReceiptAddress | null)[] => {
    return receipts.map((receipt) => {
      const { carrierId, ref, outcome, detail, category = null, peers = [] } = receipt
      const found = find(receipt)
      if (found !== null || peers.some((peer) => find({ carrierId: peer, ref }) !== null)) return found
      session.parked.mayExist = true
      park.run(carrierId, ref, outcome, bounded(detail), category, toPeersCell(receipt), now)
      return null
    })
  }
}
