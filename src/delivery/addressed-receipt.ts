/** A receipt together with the part of the message that it is about. */
import type { CarrierReceipt } from '../ports/carrier.ts'
import type { ReceiptAddress } from '../ports/receipt-address.ts'

export interface AddressedReceipt {
  readonly receipt: CarrierReceipt
  readonly address: ReceiptAddress
}
