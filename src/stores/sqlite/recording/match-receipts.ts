/**
 * BACK: finds the parts of carriers' ids. A receipt with an unknown id is parked until `record` writes the id; a repeat
 * is parked once, and no copy is parked if another one is matched.
 */
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { CarrierReceipt } from '../../../ports/carriers/carrier.ts'
import type { ReceiptAddress, ReceiptCopy } from '../../../ports/carriers/receipt-address.ts'
import { bounded } from '../../rows/cells/kept-text.ts'
import { EARLY_RECEIPT_COLUMNS, toPeersCell } from '../../rows/messages/early-receipt.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

export function matchReceipts(session: Session) {
  const find = findAddress(session)
  const park = new Statement(
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

export function findAddresses(session: Session) {
  const find = findAddress(session)
  return (receipts: readonly CarrierReceipt[]): (ReceiptAddress | null)[] => receipts.map(find)
}

function findAddress({
  database,
}: Session): (receipt: Pick<CarrierReceipt, 'carrierId' | 'ref'>) => ReceiptAddress | null {
  const find = new Statement<[messageId: MessageId, step: number, part: number]>(
    database,
    'SELECT msg_id, step, part FROM part_ref WHERE carrier_id = ? AND ref = ?',
  )
  return ({ carrierId, ref }) => {
    const found = find.first(carrierId, ref)
    return found === undefined ? null : { messageId: found[0], step: found[1], part: found[2] }
  }
}
