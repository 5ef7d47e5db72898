/** The part of a message that a receipt belongs to. */
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { PartRef } from '../../domain/journey/turn.ts'
import type { CarrierReceipt } from './carrier.ts'

/**
 * A receipt to be matched, or parked. If the message may belong to any of several carriers, the call has one copy for
 * each of them; the first copy that is matched removes the others.
 */
export interface ReceiptCopy extends CarrierReceipt {
  /** The carriers of the other copies. */
  readonly peers?: readonly string[]
}

/** A receipt that arrived before its ref, with the part that it turned out to belong to. */
export interface EarlyReceipt {
  readonly receipt: CarrierReceipt
  readonly address: ReceiptAddress
  /** The carriers whose copies of it were removed; absent if there were none. */
  readonly peers?: readonly string[]
}

export type ReceiptAddress = Omit<PartRef, 'carrierId' | 'ref'> & { readonly messageId: MessageId }
