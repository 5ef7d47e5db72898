/** From a message of the carrier to a receipt: by its optional parameters where it has them, else by its text. */
import type { CarrierReceipt } from '../../ports/carrier.ts'
import { type MessageState, stateOfNumber, stateOfWord } from '../../wire/smpp/message-state.ts'
import { type DataMessage, payloadOf, type ShortMessage } from '../../wire/smpp/pdu.ts'
import { type ReceiptText, readReceiptText } from '../../wire/smpp/receipt-text.ts'
import { findTlv, latin1, TAGS, tlvText } from '../../wire/smpp/tlv.ts'

/** `not a receipt`: a message that a person sent. `unreadable`: a receipt about nobody knows what. */
export type Reading = CarrierReceipt | 'not a receipt' | 'unreadable'

/** Message type in esm_class: delivery receipt, intermediate notification (SMPP 3.4, 5.2.12). */
const TYPE_MASK = 0x3c
const RECEIPT = 0x04
const NOTIFICATION = 0x20
const LONGEST_REF = 65
const EMPTY: ReceiptText = { id: '', stat: '', err: '' }

export function readReceipt(message: ShortMessage | DataMessage, carrierId: string): Reading {
  const type = message.esmClass & TYPE_MASK
  const idTlv = findTlv(message.tlvs, TAGS.receiptedMessageId)
  if (type !== RECEIPT && type !== NOTIFICATION && idTlv === null) return 'not a receipt'

  const text = readReceiptText(textOf(message)) ?? EMPTY
  const ref = idTlv === null ? text.id : tlvText(idTlv).slice(0, LONGEST_REF)
  const stateNumber = findTlv(message.tlvs, TAGS.messageState)?.[0]
  const state = (stateNumber === undefined ? null : stateOfNumber(stateNumber)) ?? stateOfWord(text.stat)
  if (ref === '' || (state === null && text.stat === '')) return 'unreadable'
  // A word that nobody here knows must not end a message: it is news on the way, and its lifetime ends it.
  return { carrierId, ref, outcome: state?.outcome ?? 'accepted', detail: describe(state, text) }
}

function describe(state: MessageState | null, text: ReceiptText): string {
  const stat = text.stat === '' ? (state?.word ?? '') : text.stat
  return text.err === '' ? `stat:${stat}` : `stat:${stat} err:${text.err}`
}

/** Receipts are written in ASCII, whatever their data_coding says. */
function textOf(message: ShortMessage | DataMessage): string {
  return latin1(payloadOf(message))
}
