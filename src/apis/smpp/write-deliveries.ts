/** Writes the deliver_sm of a report: the receipts of a message, or an inbound message in its parts. */
import type { ProgramEvent } from '../../domain/reports/program-event.ts'
import { encodeGsm } from '../../domain/text/gsm-alphabet.ts'
import { splitText } from '../../domain/text/text-parts.ts'
import { UDH_INDICATOR, writeConcatenation } from '../../wire/smpp/concatenation.ts'
import { stateOfWord } from '../../wire/smpp/message-state.ts'
import { DATA_CODING } from '../../wire/smpp/message-text.ts'
import { type Address, deliverSm, type ShortMessage } from '../../wire/smpp/pdu.ts'
import { writeReceiptText } from '../../wire/smpp/receipt-text.ts'
import { byteTlv, TAGS, type Tlv, textTlv } from '../../wire/smpp/tlv.ts'
import { asksFor, type ReceiptFacts } from './receipt-facts.ts'

const RECEIPT = 0x04
const INTERMEDIATE = 0x20
/** The network of an error code: GSM (SMPP 3.4, 5.3.2.31). */
const GSM_NETWORK = 3
const NO_ERROR = '000'
/** A failure of which the carrier gave no number. */
const SOME_ERROR = '001'
/** International numbers of the ISDN plan, and texts. */
const [INTERNATIONAL, ISDN, ALPHANUMERIC] = [1, 1, 5]

/** The members of a message.inbound report that deliver_sm needs. */
export interface InboundReport {
  readonly type: 'message.inbound'
  readonly inbound_id: number
  readonly from: string
  readonly to: string
  readonly text: string
}

/** Returns none if the client asked for no such receipt. */
export function writeReceipts(event: ProgramEvent, facts: ReceiptFacts): readonly ShortMessage[] {
  if (!asksFor(facts.asked, outcomeOf(event))) return []
  const ids = facts.ids.length === 0 ? [event.messageId] : facts.ids
  return ids.map((id) => receiptOf(id, event, facts))
}

function outcomeOf({ kind }: ProgramEvent): 'success' | 'failure' | 'intermediate' {
  if (kind === 'accepted') return 'intermediate'
  return kind === 'delivered' ? 'success' : 'failure'
}

function receiptOf(id: string, event: ProgramEvent, facts: ReceiptFacts): ShortMessage {
  const { state: stat, at: doneAt } = event
  const outcome = outcomeOf(event)
  const err = outcome === 'failure' ? errorIn(event.error) : NO_ERROR
  const times = { submittedAt: facts.at, doneAt, delivered: outcome === 'success' }
  return deliverSm({
    source: facts.to,
    destination: facts.from,
    esmClass: outcome === 'intermediate' ? INTERMEDIATE : RECEIPT,
    dataCoding: DATA_CODING.default,
    payload: Buffer.from(writeReceiptText({ id, stat, err, text: '', ...times }), 'latin1'),
    tlvs: receiptTlvs(id, stat, err, facts.reference),
  })
}

function receiptTlvs(id: string, stat: string, err: string, reference: string | null): readonly Tlv[] {
  const code = Number(err)
  return [
    textTlv(TAGS.receiptedMessageId, id),
    byteTlv(TAGS.messageState, stateOfWord(stat)?.number ?? 0),
    ...(err === NO_ERROR
      ? []
      : [{ tag: TAGS.networkErrorCode, value: Uint8Array.of(GSM_NETWORK, code >> 8, code & 0xff) }]),
    ...(reference === null ? [] : [{ tag: TAGS.userMessageReference, value: Buffer.from(reference, 'hex') }]),
  ]
}

/** Returns three digits, as programs read them: those of the carrier if it gave any. */
function errorIn(error: string): string {
  return /\berr:(\d{1,3})\b/.exec(error)?.[1]?.padStart(3, '0') ?? SOME_ERROR
}

/** A longer text is sent in parts, each with a header in front. */
export function writeDeliveries({ inbound_id: id, from, to, text }: InboundReport): readonly ShortMessage[] {
  const { encoding, parts } = splitText(text)
  const addresses = { source: addressOf(from), destination: addressOf(to) }
  const dataCoding = encoding === 'gsm7' ? DATA_CODING.default : DATA_CODING.ucs2
  return parts.map((part, index) => {
    const body = encoding === 'gsm7' ? encodeGsm(part) : Buffer.from(part, 'utf16le').swap16()
    // The same on every try.
    const joined = { reference: Math.floor(id / 64) % 256, total: parts.length, number: index + 1 }
    const isAlone = parts.length === 1
    return deliverSm({
      ...addresses,
      esmClass: isAlone ? 0 : UDH_INDICATOR,
      dataCoding,
      payload: isAlone ? body : Buffer.concat([writeConcatenation(joined), body]),
      tlvs: [],
    })
  })
}

function addressOf(text: string): Address {
  const digits = text.replace(/^\+/, '')
  return /^\d+$/.test(digits)
    ? { ton: digits.length > 6 ? INTERNATIONAL : 0, npi: ISDN, digits }
    : { ton: ALPHANUMERIC, npi: 0, digits: text }
}
