/** Reads a receipt from a message of the carrier: by its optional parameters if it has them, else by its text. */
import type { CarrierReceipt } from '../../ports/carriers/carrier.ts'
import { type MessageState, stateOfNumber, stateOfWord } from '../../wire/smpp/message-state.ts'
import { DATA_CODING, decodeUcs2 } from '../../wire/smpp/message-text.ts'
import { type DataMessage, payloadOf, type ShortMessage } from '../../wire/smpp/pdu.ts'
import { looksLikeReceipt, type ReceiptText, readReceiptText } from '../../wire/smpp/receipt-text.ts'
import { findTlv, latin1, TAGS, tlvText } from '../../wire/smpp/tlv.ts'
import { refOfReceipt } from './part-ref.ts'
import type { SmppSettings } from './settings.ts'

type ReceiptSettings = Pick<SmppSettings, 'receiptIds' | 'receiptStates' | 'receiptErrors'>

/** `not a receipt`: an inbound message. `unreadable`: a receipt without an id or a state. */
export type ReceiptReading = CarrierReceipt | 'not a receipt' | 'unreadable'

/** Message type in esm_class: delivery receipt, intermediate notification (SMPP 3.4, 5.2.12). */
const TYPE_MASK = 0x3c
const RECEIPT = 0x04
const NOTIFICATION = 0x20
const MAX_REF = 65
const EMPTY: ReceiptText = { id: '', stat: '', err: '' }

export function readReceipt(
  message: ShortMessage | DataMessage,
  carrierId: string,
  settings: ReceiptSettings,
): ReceiptReading {
  const type = message.esmClass & TYPE_MASK
  const idTlv = findTlv(message.tlvs, TAGS.receiptedMessageId)
  const stateNumber = findTlv(message.tlvs, TAGS.messageState)?.[0]
  const written = textOf(message)
  // Some carriers do not set the message type, and some give inbound messages an id too.
  const isMarked = type === RECEIPT || type === NOTIFICATION || (idTlv !== null && stateNumber !== undefined)
  if (!isMarked && (type !== 0 || !looksLikeReceipt(written, idTlv !== null))) return 'not a receipt'
  const { id: writtenId, stat, err: writtenErr } = readReceiptText(written) ?? EMPTY
  const id = (idTlv === null ? '' : tlvText(idTlv).trim().slice(0, MAX_REF)) || writtenId
  const state = finalOf(stateNumber === undefined ? null : stateOfNumber(stateNumber), stateOfWord(stat))
  if ((id === '' && settings.receiptIds.apartBy !== 'reference') || (state === null && stat === '')) return 'unreadable'
  const err = writtenErr === '' ? networkError(message) : writtenErr
  const ref = refOfReceipt(id, message, settings.receiptIds)
  if (ref === '') return 'unreadable'
  const { receiptStates: states } = settings
  const byState = states.size === 0 ? undefined : (states.get(stat.toUpperCase()) ?? states.get(String(state?.number)))
  // An unknown word must not end a message: it counts as progress, and the lifetime ends the message.
  const outcome = byState ?? state?.outcome ?? 'accepted'
  const isFailure = outcome !== 'accepted' && outcome !== 'delivered'
  const byError = isFailure ? settings.receiptErrors.get(err.toUpperCase()) : undefined
  return { carrierId, ref, outcome: byError ?? outcome, detail: describe(state, stat, err) }
}

/** Some carriers write a state in the parameter that was final only when they wrote the text, or the reverse. */
function finalOf(state: MessageState | null, word: MessageState | null): MessageState | null {
  return state === null || (state.outcome === 'accepted' && word !== null) ? word : state
}

function describe(state: MessageState | null, stat: string, err: string): string {
  const word = stat === '' ? (state?.word ?? '') : stat
  return err === '' ? `stat:${word}` : `stat:${word} err:${err}`
}

/** network_error_code: the network type and its code (SMPP 3.4, 5.3.2.31). */
function networkError(message: ShortMessage | DataMessage): string {
  const [kind, high = 0, low = 0] = findTlv(message.tlvs, TAGS.networkErrorCode) ?? []
  return kind === undefined || high + low === 0 ? '' : `${kind}/${high * 256 + low}`
}

/** Receipts are ASCII whatever their data_coding says, unless every character has a leading zero byte. */
function textOf(message: ShortMessage | DataMessage): string {
  const payload = payloadOf(message)
  return message.dataCoding === DATA_CODING.ucs2 && payload[0] === 0 ? decodeUcs2(payload) : latin1(payload)
}
