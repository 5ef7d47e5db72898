/**
 * Decodes PDUs from a stream of bytes in chunks of any size. Never throws: a PDU with invalid mandatory fields is
 * reported and skipped, invalid bytes behind them are ignored, and an invalid length ends the stream. Decoded PDUs may
 * share memory with their chunk.
 */
import { commandOf, isAnswerId, type SmppCommand } from './command.ts'
import { STATUS } from './command-status.ts'
import {
  ADDRESS_FLAG,
  type Address,
  type Bind,
  type BindAnswer,
  type CancelMessage,
  type DataMessage,
  type Destination,
  HEAD_LENGTH,
  LIST_FLAG,
  MAX_PDU_BYTES,
  type MessageAnswer,
  type MultiAnswer,
  type MultiMessage,
  type Pdu,
  type QueryAnswer,
  type QueryMessage,
  type ResponsePdu,
  type ShortMessage,
  type StatusAnswer,
} from './pdu.ts'
import { NO_TLVS, TAGS, type Tlv } from './tlv.ts'

export type Decoded =
  /** `flaw`: bytes behind the mandatory fields were ignored. */
  | { readonly kind: 'pdu'; readonly sequence: number; readonly pdu: Pdu; readonly flaw?: Flaw }
  /**
   * A complete PDU whose command is unknown, or whose mandatory fields cannot be read; `status` is the answer if it is
   * a request.
   */
  | (Flaw & {
      readonly kind: 'unknown' | 'unreadable'
      readonly sequence: number
      readonly commandId: number
      readonly status: number
    })
  /** The start of the next PDU is unknown: the last event of a decoder. `head`: the invalid length. */
  | (Flaw & { readonly kind: 'lost' })

export interface Flaw {
  readonly reason: string
  /** The first bytes, hexadecimal: the four fields in front of the body, and nothing of the message. */
  readonly head: string
}

/** No field of SMPP 3.4 holds a longer string. */
const MAX_STRING = 255
const LENGTH_BYTES = 4
const CUT_OFF = 'an optional parameter is cut off'
/** Tag and length. */
const TLV_HEAD_LENGTH = 4

export class PduDecoder {
  readonly #cursor = new Cursor()
  readonly #head = Buffer.alloc(LENGTH_BYTES)
  /** An incomplete PDU: its length only, or a buffer of its length. */
  #partial: Buffer = this.#head
  #held = 0
  #lost = false
  /** A longer PDU ends the stream. */
  maxBytes = MAX_PDU_BYTES
  /** Requests with a parameter that is cut off cannot be read. */
  isStrict = false

  /** Calls `take` for every PDU that `chunk` completes, in order, before it returns. */
  read(chunk: Buffer, take: (decoded: Decoded) => void): void {
    let at = 0
    while (at < chunk.length && !this.#lost) {
      const there = chunk.length - at
      if (this.#held === 0 && there >= LENGTH_BYTES) {
        const length = this.#checkLength(chunk, at, take)
        if (length === null) return
        if (there >= length) {
          take(this.#decode(chunk, at, at + length))
          at += length
          continue
        }
      }
      at += this.#hold(chunk, at, take)
    }
  }

  /** Stores bytes of an incomplete PDU; returns how many it took. */
  #hold(chunk: Buffer, at: number, take: (decoded: Decoded) => void): number {
    const taken = chunk.copy(this.#partial, this.#held, at)
    this.#held += taken
    if (this.#held < this.#partial.length) return taken
    if (this.#partial === this.#head) {
      const length = this.#checkLength(this.#head, 0, take)
      if (length === null) return taken
      this.#partial = Buffer.allocUnsafe(length)
      this.#head.copy(this.#partial)
    } else {
      const whole = this.#partial
      this.#partial = this.#head
      this.#held = 0
      take(this.#decode(whole, 0, whole.length))
    }
    return taken
  }

  #checkLength(bytes: Buffer, at: number, take: (decoded: Decoded) => void): number | null {
    const length = bytes.readUInt32BE(at)
    if (length >= HEAD_LENGTH && length <= this.maxBytes) return length
    this.#lost = true
    take({ kind: 'lost', reason: `a PDU of ${length} bytes`, head: bytes.toString('hex', at, at + LENGTH_BYTES) })
    return null
  }

  #decode(bytes: Buffer, start: number, end: number): Decoded {
    const commandId = bytes.readUInt32BE(start + 4)
    const status = bytes.readUInt32BE(start + 8)
    const sequence = bytes.readUInt32BE(start + 12)
    const command = commandOf(commandId)
    if (command === null) {
      const reason = `command 0x${commandId.toString(16)} is not known`
      return { kind: 'unknown', sequence, commandId, status: STATUS.badCommandId, ...flawOf(bytes, start, reason) }
    }
    const cursor = this.#cursor
    cursor.set(bytes, start + HEAD_LENGTH, end, isAnswerId(commandId))
    const pdu = readBody(cursor, command, status)
    if (this.isStrict && cursor.isCutOff && !isAnswerId(commandId)) cursor.fail(STATUS.badTlvStream, CUT_OFF)
    const { fault, ignored } = cursor
    if (fault !== null) {
      const flaw = flawOf(bytes, start, `${command}: ${fault.reason}`)
      return { kind: 'unreadable', sequence, commandId, status: fault.status, ...flaw }
    }
    if (ignored === null) return { kind: 'pdu', sequence, pdu }
    return { kind: 'pdu', sequence, pdu, flaw: flawOf(bytes, start, `${command}: ${ignored}`) }
  }
}

function flawOf(bytes: Buffer, start: number, reason: string): Flaw {
  return { reason, head: bytes.toString('hex', start, start + HEAD_LENGTH) }
}

function readBody(cursor: Cursor, command: SmppCommand, status: number): Pdu {
  switch (command) {
    case 'submit_sm':
    case 'deliver_sm':
      return readShortMessage(cursor, command)
    case 'bind_receiver':
    case 'bind_transmitter':
    case 'bind_transceiver':
      return {
        command,
        systemId: cursor.string(),
        password: cursor.string(),
        systemType: cursor.string(),
        interfaceVersion: cursor.byte(),
        addressRange: cursor.address(),
      } satisfies Bind
    case 'data_sm':
      return {
        command,
        serviceType: cursor.string(),
        source: cursor.address(),
        destination: cursor.address(),
        esmClass: cursor.byte(),
        registeredDelivery: cursor.byte(),
        dataCoding: cursor.byte(),
        tlvs: cursor.tlvs(),
      } satisfies DataMessage
    case 'submit_multi':
      return readMulti(cursor)
    case 'query_sm':
      return { command, messageId: cursor.string(), source: cursor.address() } satisfies QueryMessage
    case 'cancel_sm':
      return {
        command,
        serviceType: cursor.string(),
        messageId: cursor.string(),
        source: cursor.address(),
        destination: cursor.address(),
      } satisfies CancelMessage
    case 'enquire_link':
    case 'unbind':
    case 'outbind':
    case 'alert_notification':
    case 'replace_sm':
      return { command }
    default:
      return readAnswer(cursor, command, status)
  }
}

function readAnswer(cursor: Cursor, command: ResponsePdu['command'], status: number): ResponsePdu {
  switch (command) {
    case 'submit_sm_resp':
    case 'deliver_sm_resp':
    case 'data_sm_resp':
      return { command, status, messageId: cursor.string(), tlvs: cursor.tlvs() } satisfies MessageAnswer
    case 'bind_receiver_resp':
    case 'bind_transmitter_resp':
    case 'bind_transceiver_resp':
      return { command, status, systemId: cursor.string(), tlvs: cursor.tlvs() } satisfies BindAnswer
    case 'submit_multi_resp':
      return {
        command,
        status,
        messageId: cursor.string(),
        refused: cursor.list(() => ({ address: cursor.address(), status: cursor.word() })),
        tlvs: cursor.tlvs(),
      } satisfies MultiAnswer
    case 'query_sm_resp':
      return readQueryAnswer(cursor, status)
    case 'cancel_sm_resp':
    case 'replace_sm_resp':
      return { command, status, tlvs: cursor.tlvs() } satisfies StatusAnswer
    case 'enquire_link_resp':
    case 'unbind_resp':
    case 'generic_nack':
      return { command, status }
  }
}

function readShortMessage(cursor: Cursor, command: 'submit_sm' | 'deliver_sm'): ShortMessage {
  return {
    command,
    serviceType: cursor.string(),
    source: cursor.address(),
    destination: cursor.address(),
    esmClass: cursor.byte(),
    protocolId: cursor.byte(),
    priority: cursor.byte(),
    scheduleTime: cursor.string(),
    validityPeriod: cursor.string(),
    registeredDelivery: cursor.byte(),
    replaceIfPresent: cursor.byte(),
    dataCoding: cursor.byte(),
    defaultMessageId: cursor.byte(),
    payload: cursor.payload(),
    tlvs: cursor.tlvs(),
  }
}

function readMulti(cursor: Cursor): MultiMessage {
  return {
    command: 'submit_multi',
    serviceType: cursor.string(),
    source: cursor.address(),
    destinations: cursor.list(() => readDestination(cursor)),
    esmClass: cursor.byte(),
    protocolId: cursor.byte(),
    priority: cursor.byte(),
    scheduleTime: cursor.string(),
    validityPeriod: cursor.string(),
    registeredDelivery: cursor.byte(),
    replaceIfPresent: cursor.byte(),
    dataCoding: cursor.byte(),
    defaultMessageId: cursor.byte(),
    payload: cursor.payload(),
    tlvs: cursor.tlvs(),
  }
}

function readDestination(cursor: Cursor): Destination {
  const flag = cursor.byte()
  if (flag === ADDRESS_FLAG) return { kind: 'address', address: cursor.address() }
  if (flag === LIST_FLAG) return { kind: 'list', name: cursor.string() }
  cursor.fail(STATUS.badDestinationFlag, 'a destination is neither an address nor a list')
  return { kind: 'list', name: '' }
}

/** An error has no body. */
function readQueryAnswer(cursor: Cursor, status: number): QueryAnswer {
  return {
    command: 'query_sm_resp',
    status,
    messageId: cursor.string(),
    ...(status === STATUS.ok
      ? { finalDate: cursor.string(), state: cursor.byte(), errorCode: cursor.byte() }
      : { finalDate: '', state: 0, errorCode: 0 }),
    tlvs: cursor.tlvs(),
  }
}

interface Fault {
  readonly status: number
  readonly reason: string
}

/**
 * A position in a body. Keeps the first error as the fault; everything after it reads as empty. In answers the last
 * string may lack its end, because a carrier's message id matters more than its format.
 */
class Cursor {
  fault: Fault | null = null
  /** What is wrong with the bytes that were ignored; null if there are none. */
  ignored: string | null = null
  /** A parameter is cut off. */
  isCutOff = false
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  #end = 0
  #lenient = false

  set(bytes: Buffer, start: number, end: number, lenient: boolean): void {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
    this.#lenient = lenient
    this.fault = null
    this.ignored = null
    this.isCutOff = false
  }

  byte(): number {
    if (this.#at < this.#end) return this.#bytes[this.#at++] ?? 0
    this.fail(STATUS.badCommandLength, 'the body ends too early')
    return 0
  }

  word(): number {
    return ((this.byte() << 24) | (this.byte() << 16) | (this.byte() << 8) | this.byte()) >>> 0
  }

  /** Reads a count and so many elements; an answer may end before its count. */
  list<T>(read: () => T): readonly T[] {
    if (this.#lenient && this.#at >= this.#end) return []
    const elements: T[] = []
    for (let left = this.byte(); left > 0 && this.fault === null; left -= 1) elements.push(read())
    return elements
  }

  string(): string {
    const start = this.#at
    if (this.#bytes[start] === 0 && start < this.#end) {
      this.#at = start + 1
      return ''
    }
    const limit = Math.min(this.#end, start + MAX_STRING)
    let stop = start
    while (stop < limit && this.#bytes[stop] !== 0) stop += 1
    if (stop === limit && !(this.#lenient && stop === this.#end)) {
      this.fail(STATUS.badCommandLength, 'a string does not end')
      return ''
    }
    this.#at = Math.min(stop + 1, this.#end)
    return this.#bytes.toString('latin1', start, stop)
  }

  address(): Address {
    return { ton: this.byte(), npi: this.byte(), digits: this.string() }
  }

  payload(): Uint8Array {
    const length = this.byte()
    const start = this.#at
    if (start + length > this.#end) {
      this.fail(STATUS.badMessageLength, 'the message is shorter than it says')
      return this.#bytes.subarray(0, 0)
    }
    this.#at = start + length
    return this.#bytes.subarray(start, this.#at)
  }

  /** Reads the rest of the body: whole parameters, as far as they reach. */
  tlvs(): readonly Tlv[] {
    const start = this.#at
    if (start >= this.#end) return NO_TLVS
    const tlvs = this.#readTlvs()
    if (this.#at === this.#end) return tlvs
    this.ignored = CUT_OFF
    // Some carriers end the payload with a zero byte that its length does not count.
    if (this.#bytes[start] === 0) {
      this.#at = start + 1
      const behind = this.#readTlvs()
      if (this.#at === this.#end) return behind
    }
    this.#at = this.#end
    this.isCutOff = true
    return tlvs
  }

  /** Stops in front of a parameter that is cut off; keeps what there is of a message_payload. */
  #readTlvs(): Tlv[] {
    const tlvs: Tlv[] = []
    while (this.#at + TLV_HEAD_LENGTH <= this.#end) {
      const tag = this.#bytes.readUInt16BE(this.#at)
      const start = this.#at + TLV_HEAD_LENGTH
      const end = start + this.#bytes.readUInt16BE(start - 2)
      if (end <= this.#end || tag === TAGS.messagePayload) {
        tlvs.push({ tag, value: this.#bytes.subarray(start, Math.min(end, this.#end)) })
      }
      if (end > this.#end) break
      this.#at = end
    }
    return tlvs
  }

  fail(status: number, reason: string): void {
    this.fault ??= { status, reason }
    this.#at = this.#end
  }
}
