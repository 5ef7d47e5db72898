/**
 * The PDUs of SMPP 3.4 as values (section 4): command, status and body. The length belongs to the codec and the
 * sequence number to the session. Strings are Latin-1 as on the wire.
 */
import { ANSWER_BIT, COMMAND_IDS } from './command.ts'
import { findTlv, TAGS, type Tlv } from './tlv.ts'

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

export interface MessageAnswer {
  readonly command: 'submit_sm_resp' | 'deliver_sm_resp' | 'data_sm_resp'
  readonly status: number
  /** Empty in every deliver_sm_resp, and if the status is an error. */
  readonly messageId: string
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

export type Request = Bind | ShortMessage | DataMessage | EnquireLink | Unbind
export type Answer = BindAnswer | MessageAnswer | BareAnswer
export type Pdu = Request | Answer | Notice

/** Returns the payload: the short message, or the message_payload TLV if that is empty (5.3.2.32). */
export function payloadOf(message: ShortMessage | DataMessage): Uint8Array {
  if ('payload' in message && message.payload.length > 0) return message.payload
  return findTlv(message.tlvs, TAGS.messagePayload) ?? new Uint8Array()
}

export function isAnswer(pdu: Pdu): pdu is Answer {
  return COMMAND_IDS[pdu.command] >= ANSWER_BIT
}

export function isNotice(pdu: Pdu): pdu is Notice {
  return pdu.command === 'alert_notification' || pdu.command === 'outbind'
}

/**
 * Returns whether `answer` may follow `request`: its own kind, generic_nack, or any bind answer to a bind, as some
 * carriers send.
 */
export function answers(answer: Answer, request: Request['command']): boolean {
  if (COMMAND_IDS[answer.command] === COMMAND_IDS[request] + ANSWER_BIT) return true
  return answer.command === 'generic_nack' || (request.startsWith('bind_') && answer.command.startsWith('bind_'))
}

/** Returns the answer to a request with only a status; generic_nack for an unknown command. */
export function bareAnswer(commandId: number, status: number): Answer {
  switch (commandId) {
    case COMMAND_IDS.bind_receiver:
      return { command: 'bind_receiver_resp', status, systemId: '', tlvs: [] }
    case COMMAND_IDS.bind_transmitter:
      return { command: 'bind_transmitter_resp', status, systemId: '', tlvs: [] }
    case COMMAND_IDS.bind_transceiver:
      return { command: 'bind_transceiver_resp', status, systemId: '', tlvs: [] }
    case COMMAND_IDS.submit_sm:
      return { command: 'submit_sm_resp', status, messageId: '', tlvs: [] }
    case COMMAND_IDS.deliver_sm:
      return { command: 'deliver_sm_resp', status, messageId: '', tlvs: [] }
    case COMMAND_IDS.data_sm:
      return { command: 'data_sm_resp', status, messageId: '', tlvs: [] }
    case COMMAND_IDS.enquire_link:
      return { command: 'enquire_link_resp', status }
    case COMMAND_IDS.unbind:
      return { command: 'unbind_resp', status }
    default:
      return { command: 'generic_nack', status }
  }
}
