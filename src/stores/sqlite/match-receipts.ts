/**
 * BACK: finds the parts of carriers' ids. A receipt with an unknown id is parked until `record` writes the id; a repeat
 * is parked once.
 */
import type { MessageId } from '../../domain/message-id.ts'
import type { CarrierReceipt } from '../../ports/carrier.ts'
import type { ReceiptAddress } from '../../ports/receipt-address.ts'
import { EARLY_RECEIPT_COLUMNS } from '../rows/early-receipt.ts'
import { bounded } from '../rows/kept-text.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

export function matchReceipts({
  database,
}: Session): (receipts: readonly CarrierReceipt[], now: number) => (ReceiptAddress | null)[] {
  const find = new Statement<[msgId: MessageId, step: number, part: number]>(
    database,
    'SELECT msg_id, step, part FROM part_ref WHERE carrier_id = ? AND ref = ?',
  )
  const park = new Statement(
    database,
    `INSERT OR IGNORE INTO early_receipt (${EARLY_RECEIPT_COLUMNS}, at, node) VALUES (?, ?, ?, ?, ?, ?, 0)`,
  )
  return (receipts, now) =>
    receipts.map(({ carrierId, ref, outcome, detail, category = null }) => {
      const found = find.first(carrierId, ref)
      if (found !== undefined) return { messageId: found[0], step: found[1], part: found[2] }
      park.run(carrierId, ref, outcome, bounded(detail), category, now)
      return null
    })
}
