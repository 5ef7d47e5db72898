/** From a message of the carrier to a receipt: by its optional parameters where it has them, else by its text. */
import type { CarrierReceipt } from '../../ports/carrier.ts'
import { type MessageState, stateOfNumber, stateOfWord } from '../../wire/smpp/message-state.ts'
import { DATA_CODING, decodeUcs2 } from '../../wire/smpp/message-text.ts'
import { type DataMessage, payloadOf, type ShortMessage } from '../../wire/smpp/pdu.ts'
import { type ReceiptText, readReceiptText } from '../../wire/smpp/receipt-text.ts'
import { findTlv, latin1, TAGS, tlvText } from '../../wire/smpp/tlv.ts'
import { type IdForm, sameRef } from './same-ref.ts'

/** `not a receipt`: a message that a person sent. `unreadable`: a receipt about nobody knows what. */
export type Reading = CarrierReceipt | 'not a receipt' | 'unreadable'

/** Message type in esm_class: delivery receipt, intermediate notification (SMPP 3.4, 5.2.12). */
const TYPE_MASK = 0x3c
const RECEIPT = 0x04
const NOTIFICATION = 0x20
const LONGEST_REF = 65
const EMPTY: ReceiptText = { id: '', stat: '', err: '' }

/** `idForm`: how this carrier writes ids in receipts. */
export function readReceipt(
  message: ShortMessage | DataMessage,
  { carrierId, idForm }: { readonly carrierId: string; readonly idForm: IdForm },
): Reading {
  const type = message.esmClass & TYPE_MASK
  const idTlv = findTlv(message.tlvs, TAGS.receiptedMessageId)
  if (type !== RECEIPT && type !== NOTIFICATION && idTlv === null) return 'not a receipt'

  const text = readReceiptText(textOf(message)) ?? EMPTY
  const id = (idTlv === null ? '' : tlvText(idTlv).slice(0, LONGEST_REF)) || text.id
  const stateNumber = findTlv(message.tlvs, TAGS.messageState)?.[0]
  const state = (stateNumber === undefined ? null : stateOfNumber(stateNumber)) ?? stateOfWord(text.stat)
  if (id === '' || (state === null && text.stat === '')) return 'unreadable'
  // A word that nobody here knows must not end a message: it is news on the way, and its lifetime ends it.
  const outcome = state?.outcome ?? 'accepted'
  const err = text.err === '' ? networkError(message) : text.err
  return { carrierId, ref: sameRef(id, idForm), outcome, detail: describe(state, { ...text, err }) }
}

function describe(state: MessageState | null, text: ReceiptText): string {
  const stat = text.stat === '' ? (state?.word ?? '') : text.stat
  return text.err === '' ? `stat:${stat}` : `stat:${stat} err:${text.err}`
}

/** network_error_code: a kind of network and its code (SMPP 3.4, 5.3.2.31). */
function networkError(message: ShortMessage | DataMessage): string {
  const [kind, high = 0, low = 0] = findTlv(message.tlvs, TAGS.networkErrorCode) ?? []
  return kind === undefined || high + low === 0 ? '' : `${kind}/${high * 256 + low}`
}

/** Receipts are written in ASCII, whatever their data_coding says, unless there is a zero before every letter. */
function textOf(message: ShortMessage | DataMessage): string {
  const payload = payloadOf(message)
  return message.dataCoding === DATA_CODING.ucs2 && payload[0] === 0 ? decodeUcs2(payload) : latin1(payload)
}
