/** A receipt together with the part of the message that it is about. */
import type { CarrierReceipt } from '../../ports/carriers/carrier.ts'
import type { ReceiptAddress } from '../../ports/carriers/receipt-address.ts'

export interface AddressedReceipt {
  readonly receipt: CarrierReceipt
  readonly address: ReceiptAddress
}
