/** The part of a message that a receipt belongs to. */
import type { MessageId } from '../domain/message-id.ts'
import type { PartRef } from '../domain/turn.ts'
import type { CarrierReceipt } from './carrier.ts'

/** A receipt that arrived before its ref, with the part that it turned out to belong to. */
export interface EarlyReceipt {
  readonly receipt: CarrierReceipt
  readonly address: ReceiptAddress
}

export type ReceiptAddress = Omit<PartRef, 'carrierId' | 'ref'> & { readonly messageId: MessageId }
