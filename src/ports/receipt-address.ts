/** The part of a message that a receipt is about. */
import type { MessageId } from '../domain/message-id.ts'
import type { PartRef } from '../domain/turn.ts'
import type { CarrierReceipt } from './carrier.ts'

/** A receipt that was parked, with the part that it turned out to be about. */
export interface EarlyReceipt {
  readonly receipt: CarrierReceipt
  readonly address: ReceiptAddress
}

export type ReceiptAddress = Omit<PartRef, 'carrierId' | 'ref'> & { readonly messageId: MessageId }
