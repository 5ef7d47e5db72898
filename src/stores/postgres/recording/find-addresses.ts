/** Finds the parts of messages by the ids that carriers gave them. */
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { CarrierReceipt } from '../../../ports/carriers/carrier.ts'
import type { ReceiptAddress } from '../../../ports/carriers/receipt-address.ts'
import type { Connection } from '../connection/connection.ts'
import { lookUp, unnest } from '../connection/statement.ts'
import { columnsOf } from '../session/session.ts'

/** The newest part under each carrier id. */
const FIND_REFS = lookUp<[place: number, msgId: MessageId, step: number, part: number]>(
  `SELECT DISTINCT ON (new.place) new.place, part_ref.msg_id, part_ref.step, part_ref.part FROM part_ref
   JOIN ${unnest({ place: 'integer', carrier_id: 'text', ref: 'text' }, 1)} USING (carrier_id, ref)
   ORDER BY new.place, part_ref.msg_id DESC, part_ref.step DESC, part_ref.part DESC`,
)

/** Returns the addresses of receipts, in their order; null if the id is unknown. */
export async function findAddresses(
  connection: Connection,
  receipts: readonly Pick<CarrierReceipt, 'carrierId' | 'ref'>[],
): Promise<(ReceiptAddress | null)[]> {
  const addresses: (ReceiptAddress | null)[] = receipts.map(() => null)
  if (receipts.length === 0) return addresses
  const rows = receipts.map(({ carrierId, ref }, place) => [place, carrierId, ref])
  for (const [place, msgId, step, part] of await connection.query(FIND_REFS, ...columnsOf(rows))) {
    addresses[place] = { messageId: msgId, step, part }
  }
  return addresses
}
