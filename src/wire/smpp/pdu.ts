/**
 * The PDUs of SMPP 3.4 as values (section 4): command, status and body. The length belongs to the codec and the
 * sequence number to the session. Strings are Latin-1 as on the wire.
 */
import { ANSWER_BIT, COMMAND_IDS, commandOf } from './command.ts'
import { findTlv, NO_TLVS, TAGS, type Tlv, textTlv } from './tlv.ts'

/** Size limit of a PDU in both directions: 64 KiB. */
export const MAX_PDU_BYTES = 65_536
export const HEAD_LENGTH = 16

export interface Address {
  /** Type of number (5.2.5). */
  readonly ton: number
  /** Numbering plan (5.2.6). */
  readonly npi: number
  readonly digits: string
}

export type BindCommand = 'bind_receiver' | 'bind_transmitter' | 'bind_transceiver'

export interface Bind {
  readonly command: BindCommand
  readonly systemId: string
  readonly password: string
  readonly systemType: string
  readonly interfaceVersion: number
  /** The addresses that the client serves; `digits` is a pattern, mostly empty. */
  readonly addressRange: Address
}

export interface BindAnswer {
  readonly command: `${BindCommand}_resp`
  readonly status: number
  readonly systemId: string
  readonly tlvs: readonly Tlv[]
}

/** submit_sm and deliver_sm share their body (4.4.1, 4.6.1). */
export interface ShortMessage {
  readonly command: 'submit_sm' | 'deliver_sm'
  readonly serviceType: string
  readonly source: Address
  readonly destination: Address
  readonly esmClass: number
  readonly protocolId: number
  readonly priority: number
  /** Absolute or relative time (7.1.1); empty for immediately. */
  readonly scheduleTime: string
  /** Absolute or relative time; empty for the carrier's default. */
  readonly validityPeriod: string
  readonly registeredDelivery: number
  readonly replaceIfPresent: number
  readonly dataCoding: number
  readonly defaultMessageId: number
  /** At most 254 bytes; may share memory with the bytes that it was read from. */
  readonly payload: Uint8Array
  readonly tlvs: readonly Tlv[]
}

export interface DataMessage {
  readonly command: 'data_sm'
  readonly serviceType: string
  readonly source: Address
  readonly destination: Address
  readonly esmClass: number
  readonly registeredDelivery: number
  readonly dataCoding: number
  readonly tlvs: readonly Tlv[]
}

/** The same message to several destinations (4.5.1). */
export interface MultiMessage extends Omit<ShortMessage, 'command' | 'destination'> {
  readonly command: 'submit_multi'
  readonly destinations: readonly Destination[]
}

/** The name of a distribution list is known to the SMSC alone. */
export type Destination =
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'list'; readonly name: string }

/** The flag in front of each destination (5.2.25). */
export const ADDRESS_FLAG = 1
export const LIST_FLAG = 2
/** Destinations of one submit_multi (5.2.24). */
export const MAX_DESTINATIONS = 254

export interface QueryMessage {
  readonly command: 'query_sm'
  readonly messageId: string
  readonly source: Address
}

export interface CancelMessage {
  readonly command: 'cancel_sm'
  readonly serviceType: string
  /** Empty: all messages from the source to the destination. */
  readonly messageId: string
  readonly source: Address
  readonly destination: Address
}

/** Its body is not read. */
interface ReplaceMessage {
  readonly command: 'replace_sm'
}

export interface MessageAnswer {
  readonly command: 'submit_sm_resp' | 'deliver_sm_resp' | 'data_sm_resp'
  readonly status: number
  /** Empty in every deliver_sm_resp, and if the status is an error. */
  readonly messageId: string
  readonly tlvs: readonly Tlv[]
}

export interface MultiAnswer {
  readonly command: 'submit_multi_resp'
  readonly status: number
  readonly messageId: string
  readonly refused: readonly { readonly address: Address; readonly status: number }[]
  readonly tlvs: readonly Tlv[]
}

export interface QueryAnswer {
  readonly command: 'query_sm_resp'
  readonly status: number
  readonly messageId: string
  /** Absolute; empty before the final state. */
  readonly finalDate: string
  readonly state: number
  readonly errorCode: number
  readonly tlvs: readonly Tlv[]
}

/** An answer with a status and perhaps its text. */
export interface StatusAnswer {
  readonly command: 'cancel_sm_resp' | 'replace_sm_resp'
  readonly status: number
  readonly tlvs: readonly Tlv[]
}

interface EnquireLink {
  readonly command: 'enquire_link'
}

interface Unbind {
  readonly command: 'unbind'
}

/** An answer without a body. */
interface BareAnswer {
  readonly command: 'enquire_link_resp' | 'unbind_resp' | 'generic_nack'
  readonly status: number
}

/** A request that has no answer (4.1.7, 4.12.1); its body is not read. */
interface Notice {
  readonly command: 'outbind' | 'alert_notification'
}

/** What a client asks about messages. */
export type MessageRequest = ShortMessage | DataMessage | MultiMessage | QueryMessage | CancelMessage | ReplaceMessage
export type Request = Bind | MessageRequest | EnquireLink | Unbind
export type ResponsePdu = BindAnswer | MessageAnswer | MultiAnswer | QueryAnswer | StatusAnswer | BareAnswer
export type Pdu = Request | ResponsePdu | Notice

type Used = 'source' | 'destination' | 'esmClass' | 'dataCoding' | 'payload' | 'tlvs'

/** Returns a deliver_sm with the default of every other field. */
export function deliverSm(fields: Pick<ShortMessage, Used>): ShortMessage {
  return {
    command: 'deliver_sm',
    serviceType: '',
    protocolId: 0,
    priority: 0,
    scheduleTime: '',
    validityPeriod: '',
    registeredDelivery: 0,
    replaceIfPresent: 0,
    defaultMessageId: 0,
    ...fields,
  }
}

/** Returns the payload: the short message, or the message_payload TLV if that is empty (5.3.2.32). */
export function payloadOf(message: ShortMessage | DataMessage | MultiMessage): Uint8Array {
  if ('payload' in message && message.payload.length > 0) return message.payload
  return findTlv(message.tlvs, TAGS.messagePayload) ?? new Uint8Array()
}

export function isAnswer(pdu: Pdu): pdu is ResponsePdu {
  return COMMAND_IDS[pdu.command] >= ANSWER_BIT
}

export function isNotice(pdu: Pdu): pdu is Notice {
  return pdu.command === 'alert_notification' || pdu.command === 'outbind'
}

/**
 * Returns whether `answer` may follow `request`: its own kind, generic_nack, or any bind answer to a bind, as some
 * carriers send.
 */
export function answers(answer: ResponsePdu, request: Request['command']): boolean {
  if (COMMAND_IDS[answer.command] === COMMAND_IDS[request] + ANSWER_BIT) return true
  return answer.command === 'generic_nack' || (request.startsWith('bind_') && answer.command.startsWith('bind_'))
}

/** Returns the answer to a request with only a status, and perhaps its text; generic_nack for an unknown command. */
export function bareAnswer(commandId: number, status: number, text = ''): ResponsePdu {
  const command = commandOf(commandId)
  const tlvs = text === '' ? NO_TLVS : [textTlv(TAGS.statusText, text)]
  switch (command) {
    case 'bind_receiver':
    case 'bind_transmitter':
    case 'bind_transceiver':
      return { command: `${command}_resp`, status, systemId: '', tlvs }
    case 'submit_sm':
    case 'deliver_sm':
    case 'data_sm':
      return { command: `${command}_resp`, status, messageId: '', tlvs }
    case 'submit_multi':
      return { command: 'submit_multi_resp', status, messageId: '', refused: [], tlvs }
    case 'query_sm':
      return { command: 'query_sm_resp', status, messageId: '', finalDate: '', state: 0, errorCode: 0, tlvs }
    case 'cancel_sm':
    case 'replace_sm':
      return { command: `${command}_resp`, status, tlvs }
    case 'enquire_link':
    case 'unbind':
      return { command: `${command}_resp`, status }
    default:
      return { command: 'generic_nack', status }
  }
}
