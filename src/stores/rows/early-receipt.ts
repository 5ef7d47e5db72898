/** A receipt waiting for the id of its part, as a row. */
import type { CarrierReceipt } from '../../ports/carrier.ts'

/** Its columns, in this order. */
export const EARLY_RECEIPT_COLUMNS = 'carrier_id, ref, outcome, detail, category'

export type EarlyReceiptRow = [
  carrierId: string,
  ref: string,
  outcome: CarrierReceipt['outcome'],
  detail: string,
  category: string | null,
]

export function toReceipt([carrierId, ref, outcome, detail, category]: EarlyReceiptRow): CarrierReceipt {
  const receipt = { carrierId, ref, outcome, detail }
  return category === null ? receipt : { ...receipt, category }
}
