/** Finds the parts of messages by the ids that carriers gave them. */
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { CarrierReceipt } from '../../../ports/carriers/carrier.ts'
import type { ReceiptAddress } from '../../../ports/carriers/receipt-address.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

/** Returns the addresses of receipts, in their order; null if the id is unknown. */
export function findAddresses(session: Session) {
  const find = findAddress(session)
  return (receipts: readonly CarrierReceipt[]): (ReceiptAddress | null)[] => receipts.map(find)
}

export function findAddress({
  database,
}: Session): (receipt: Pick<CarrierReceipt, 'carrierId' | 'ref'>) => ReceiptAddress | null {
  const find = new SqlStatement<[messageId: MessageId, step: number, part: number]>(
    database,
    'SELECT msg_id, step, part FROM part_ref WHERE carrier_id = ? AND ref = ?',
  )
  return ({ carrierId, ref }) => {
    const found = find.first(carrierId, ref)
    return found === undefined ? null : { messageId: found[0], step: found[1], part: found[2] }
  }
}
