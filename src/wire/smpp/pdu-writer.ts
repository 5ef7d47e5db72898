/**
 * Encodes PDUs into a growing buffer, so that all PDUs of one event-loop turn are sent with one socket write. Returned
 * memory is never written again.
 */
import { COMMAND_IDS, type SmppCommand } from './command.ts'
import {
  ADDRESS_FLAG,
  type Address,
  type Destination,
  HEAD_LENGTH,
  LIST_FLAG,
  MAX_PDU_BYTES,
  type Pdu,
  type ResponsePdu,
} from './pdu.ts'
import type { Tlv } from './tlv.ts'

const SLAB_BYTES = 32_768
const MAX_PAYLOAD_BYTES = 254
/** More than the fixed fields of any PDU, including the header and the ends of strings. */
const FIXED_BYTES = 64

export class PduWriter {
  #slab: Buffer = Buffer.alloc(0)
  #start = 0
  #end = 0

  /** Bytes written and not taken. */
  get length(): number {
    return this.#end - this.#start
  }

  /**
   * Writes characters outside of Latin-1 as `?`. Throws RangeError, and writes nothing, for a payload over 254 bytes or
   * a PDU over 64 KiB.
   */
  write(pdu: Pdu, sequence: number): void {
    const max = maxBytes(pdu)
    if (max > MAX_PDU_BYTES) throw new RangeError(`a ${pdu.command} of up to ${max} bytes is too long`)
    this.#reserve(max)
    const start = this.#end
    this.#end = start + HEAD_LENGTH
    this.#body(pdu)
    this.#slab.writeUInt32BE(this.#end - start, start)
    this.#slab.writeUInt32BE(COMMAND_IDS[pdu.command], start + 4)
    this.#slab.writeUInt32BE('status' in pdu ? pdu.status : 0, start + 8)
    this.#slab.writeUInt32BE(sequence, start + 12)
  }

  /** Returns everything written since the last call. */
  take(): Buffer {
    const bytes = this.#slab.subarray(this.#start, this.#end)
    this.#start = this.#end
    return bytes
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#slab.length) return
    const held = this.length
    const slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, 2 * (held + bytes)))
    this.#slab.copy(slab, 0, this.#start, this.#end)
    this.#slab = slab
    this.#start = 0
    this.#end = held
  }

  #body(pdu: Pdu): void {
    switch (pdu.command) {
      case 'submit_sm':
      case 'deliver_sm':
      case 'submit_multi':
        this.#string(pdu.serviceType)
        this.#address(pdu.source)
        if (pdu.command === 'submit_multi') this.#destinations(pdu.destinations)
        else this.#address(pdu.destination)
        this.#byte(pdu.esmClass)
        this.#byte(pdu.protocolId)
        this.#byte(pdu.priority)
        this.#string(pdu.scheduleTime)
        this.#string(pdu.validityPeriod)
        this.#byte(pdu.registeredDelivery)
        this.#byte(pdu.replaceIfPresent)
        this.#byte(pdu.dataCoding)
        this.#byte(pdu.defaultMessageId)
        this.#byte(pdu.payload.length)
        this.#bytes(pdu.payload)
        this.#tlvs(pdu.tlvs)
        return
      case 'bind_receiver':
      case 'bind_transmitter':
      case 'bind_transceiver':
        this.#string(pdu.systemId)
        this.#string(pdu.password)
        this.#string(pdu.systemType)
        this.#byte(pdu.interfaceVersion)
        this.#address(pdu.addressRange)
        return
      case 'data_sm':
        this.#string(pdu.serviceType)
        this.#address(pdu.source)
        this.#address(pdu.destination)
        this.#byte(pdu.esmClass)
        this.#byte(pdu.registeredDelivery)
        this.#byte(pdu.dataCoding)
        this.#tlvs(pdu.tlvs)
        return
      case 'query_sm':
        this.#string(pdu.messageId)
        this.#address(pdu.source)
        return
      case 'cancel_sm':
        this.#string(pdu.serviceType)
        this.#string(pdu.messageId)
        this.#address(pdu.source)
        this.#address(pdu.destination)
        return
      default:
        if ('status' in pdu) this.#answerBody(pdu)
    }
  }

  #answerBody(pdu: ResponsePdu): void {
    switch (pdu.command) {
      case 'submit_sm_resp':
      case 'deliver_sm_resp':
      case 'data_sm_resp':
        if (isBodyless(pdu.command, pdu.status, pdu.messageId, pdu.tlvs)) return
        this.#string(pdu.messageId)
        this.#tlvs(pdu.tlvs)
        return
      case 'bind_receiver_resp':
      case 'bind_transmitter_resp':
      case 'bind_transceiver_resp':
        if (isBodyless(pdu.command, pdu.status, pdu.systemId, pdu.tlvs)) return
        this.#string(pdu.systemId)
        this.#tlvs(pdu.tlvs)
        return
      case 'submit_multi_resp':
        if (isBodyless(pdu.command, pdu.status, pdu.messageId, pdu.tlvs)) return
        this.#string(pdu.messageId)
        this.#byte(pdu.refused.length)
        for (const { address, status } of pdu.refused) {
          this.#address(address)
          this.#end = this.#slab.writeUInt32BE(status, this.#end)
        }
        this.#tlvs(pdu.tlvs)
        return
      case 'query_sm_resp':
        if (isBodyless(pdu.command, pdu.status, pdu.messageId, pdu.tlvs)) return
        this.#string(pdu.messageId)
        this.#string(pdu.finalDate)
        this.#byte(pdu.state)
        this.#byte(pdu.errorCode)
        this.#tlvs(pdu.tlvs)
        return
      case 'cancel_sm_resp':
      case 'replace_sm_resp':
        this.#tlvs(pdu.tlvs)
        return
      default:
        return
    }
  }

  #destinations(destinations: readonly Destination[]): void {
    this.#byte(destinations.length)
    for (const each of destinations) {
      this.#byte(each.kind === 'address' ? ADDRESS_FLAG : LIST_FLAG)
      if (each.kind === 'address') this.#address(each.address)
      else this.#string(each.name)
    }
  }

  #byte(byte: number): void {
    this.#slab[this.#end++] = byte
  }

  #string(text: string): void {
    const slab = this.#slab
    let end = this.#end
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index)
      slab[end++] = unit > 0xff || unit === 0 ? 0x3f : unit
    }
    slab[end++] = 0
    this.#end = end
  }

  #address(address: Address): void {
    this.#byte(address.ton)
    this.#byte(address.npi)
    this.#string(address.digits)
  }

  #bytes(bytes: Uint8Array): void {
    this.#slab.set(bytes, this.#end)
    this.#end += bytes.length
  }

  #tlvs(tlvs: readonly Tlv[]): void {
    for (const { tag, value } of tlvs) {
      this.#end = this.#slab.writeUInt16BE(tag, this.#end)
      this.#end = this.#slab.writeUInt16BE(value.length, this.#end)
      this.#bytes(value)
    }
  }
}

/** An answer that reports an error ends after its header (4.1.2, 4.4.2), except deliver_sm_resp (4.6.2). */
function isBodyless(command: SmppCommand, status: number, text: string, tlvs: readonly Tlv[]): boolean {
  return status !== 0 && command !== 'deliver_sm_resp' && text === '' && tlvs.length === 0
}

/** Returns an upper bound of the size of the PDU. */
function maxBytes(pdu: Pdu): number {
  switch (pdu.command) {
    case 'submit_sm':
    case 'deliver_sm':
    case 'submit_multi':
      if (pdu.payload.length > MAX_PAYLOAD_BYTES) throw new RangeError(`a payload of ${pdu.payload.length} bytes`)
      return (
        FIXED_BYTES +
        pdu.serviceType.length +
        pdu.source.digits.length +
        (pdu.command === 'submit_multi' ? destinationBytes(pdu.destinations) : pdu.destination.digits.length) +
        pdu.scheduleTime.length +
        pdu.validityPeriod.length +
        pdu.payload.length +
        tlvBytes(pdu.tlvs)
      )
    case 'data_sm':
      return (
        FIXED_BYTES +
        pdu.serviceType.length +
        pdu.source.digits.length +
        pdu.destination.digits.length +
        tlvBytes(pdu.tlvs)
      )
    case 'bind_receiver':
    case 'bind_transmitter':
    case 'bind_transceiver':
      return (
        FIXED_BYTES + pdu.systemId.length + pdu.password.length + pdu.systemType.length + pdu.addressRange.digits.length
      )
    case 'query_sm':
      return FIXED_BYTES + pdu.messageId.length + pdu.source.digits.length
    case 'cancel_sm':
      return (
        FIXED_BYTES +
        pdu.serviceType.length +
        pdu.messageId.length +
        pdu.source.digits.length +
        pdu.destination.digits.length
      )
    default:
      return 'status' in pdu ? maxBytesOfAnswer(pdu) : FIXED_BYTES
  }
}

function maxBytesOfAnswer(pdu: ResponsePdu): number {
  switch (pdu.command) {
    case 'submit_sm_resp':
    case 'deliver_sm_resp':
    case 'data_sm_resp':
      return FIXED_BYTES + pdu.messageId.length + tlvBytes(pdu.tlvs)
    case 'bind_receiver_resp':
    case 'bind_transmitter_resp':
    case 'bind_transceiver_resp':
      return FIXED_BYTES + pdu.systemId.length + tlvBytes(pdu.tlvs)
    case 'submit_multi_resp':
      return (
        FIXED_BYTES +
        pdu.messageId.length +
        pdu.refused.reduce((sum, { address }) => sum + address.digits.length + REFUSED_BYTES, 0) +
        tlvBytes(pdu.tlvs)
      )
    case 'query_sm_resp':
      return FIXED_BYTES + pdu.messageId.length + pdu.finalDate.length + tlvBytes(pdu.tlvs)
    case 'cancel_sm_resp':
    case 'replace_sm_resp':
      return FIXED_BYTES + tlvBytes(pdu.tlvs)
    default:
      return FIXED_BYTES
  }
}

/** Type and plan of the number, the end of its digits, and the status. */
const REFUSED_BYTES = 7

function destinationBytes(destinations: readonly Destination[]): number {
  return destinations.reduce(
    (sum, each) => sum + 4 + (each.kind === 'address' ? each.address.digits : each.name).length,
    0,
  )
}

function tlvBytes(tlvs: readonly Tlv[]): number {
  let total = 0
  for (const tlv of tlvs) total += 4 + tlv.value.length
  return total
}
