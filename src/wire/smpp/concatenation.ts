/**
 * Concatenation of the parts of a long message: a user data header in front of the text (3GPP TS 23.040, 9.2.3.24.1 and
 * 9.2.3.24.8) or the sar parameters (SMPP 3.4, 5.3.2.22 to 24). Reading never throws.
 */
import { NO_SHIFTS, type Shifts } from '../../domain/text/national-tables.ts'
import { type DataMessage, type MultiMessage, payloadOf, type ShortMessage } from './pdu.ts'
import { findTlv, TAGS, type Tlv } from './tlv.ts'

export interface Concatenation {
  /** The same in all parts of one message; one byte, or two if the form has room for them. */
  readonly reference: number
  readonly total: number
  /** From 1. */
  readonly number: number
}

/** Set in esm_class if the payload begins with a header (SMPP 3.4, 5.2.12). */
export const UDH_INDICATOR = 0x40
export const MAX_PARTS = 255

/** Information elements: concatenation with a reference of 8 and of 16 bits. */
const REFERENCE_8 = 0x00
const REFERENCE_16 = 0x08
/** National language tables: single shift and locking shift, each with the number of a language. */
const SINGLE_SHIFT = 0x24
const LOCKING_SHIFT = 0x25
/** The message is for a port of the phone, with addresses of 8 and of 16 bits: it is no text. */
const PORTS: readonly number[] = [0x04, 0x05]

/** Returns six bytes for the start of the payload; the reference is taken modulo 256. */
export function writeConcatenation({ reference, total, number }: Concatenation): Uint8Array {
  return Uint8Array.of(0x05, REFERENCE_8, 0x03, reference & 0xff, total, number)
}

/** Returns seven bytes, which leave a part one septet or unit less than six. */
export function writeWideConcatenation({ reference, total, number }: Concatenation): Uint8Array {
  return Uint8Array.of(0x06, REFERENCE_16, 0x04, (reference >> 8) & 0xff, reference & 0xff, total, number)
}

/** Returns the header with a single shift table added; a header of its own for an empty one. */
export function writeSingleShift(header: Uint8Array, language: number): Uint8Array {
  const elements = header.subarray(1)
  return Uint8Array.of(elements.length + 3, ...elements, SINGLE_SHIFT, 1, language)
}

export function writeSar({ reference, total, number }: Concatenation): readonly Tlv[] {
  return [
    { tag: TAGS.sarReference, value: Uint8Array.of((reference >> 8) & 0xff, reference & 0xff) },
    { tag: TAGS.sarTotal, value: Uint8Array.of(total) },
    { tag: TAGS.sarNumber, value: Uint8Array.of(number) },
  ]
}

export interface UserData {
  /** The text without its header; empty if the header is longer than the payload. */
  readonly body: Uint8Array
  /** Null for a message without other parts. */
  readonly joined: Concatenation | null
  readonly shifts: Shifts
  /** The header names a port of the phone: the body is no text. */
  readonly hasPorts: boolean
  /** The header is longer than the payload. */
  readonly isCutOff: boolean
}

export function readUserData(message: ShortMessage | DataMessage | MultiMessage): UserData {
  const payload = payloadOf(message)
  if ((message.esmClass & UDH_INDICATOR) === 0) {
    return { body: payload, joined: readSar(message.tlvs), shifts: NO_SHIFTS, hasPorts: false, isCutOff: false }
  }
  const length = payload[0] ?? 0
  const header = readHeader(payload.subarray(1, 1 + length))
  return { body: payload.subarray(1 + length), ...header, isCutOff: payload.length < 1 + length }
}

/** Of several elements of a kind, the last one applies. */
function readHeader(header: Uint8Array): Omit<UserData, 'body' | 'isCutOff'> {
  let joined: Concatenation | null = null
  let shifts = NO_SHIFTS
  let hasPorts = false
  for (let at = 0; at + 1 < header.length; at += 2 + (header[at + 1] ?? 0)) {
    const [element, length, a = 0, b = 0, c = 0, d = 0] = header.subarray(at, at + 6)
    if (at + 2 + (length ?? 0) > header.length) break
    if (element === REFERENCE_8 && length === 3) joined = validOrNull({ reference: a, total: b, number: c })
    if (element === REFERENCE_16 && length === 4) joined = validOrNull({ reference: a * 256 + b, total: c, number: d })
    if (element === SINGLE_SHIFT && length === 1) shifts = { ...shifts, single: a }
    if (element === LOCKING_SHIFT && length === 1) shifts = { ...shifts, locking: a }
    if (element !== undefined && PORTS.includes(element)) hasPorts = true
  }
  return { joined, shifts, hasPorts }
}

function readSar(tlvs: readonly Tlv[]): Concatenation | null {
  const [high = 0, low] = findTlv(tlvs, TAGS.sarReference) ?? []
  const total = findTlv(tlvs, TAGS.sarTotal)?.[0] ?? 0
  const number = findTlv(tlvs, TAGS.sarNumber)?.[0] ?? 0
  return validOrNull({ reference: low === undefined ? high : high * 256 + low, total, number })
}

/**
 * Returns null for a single part, or a part number beyond the total: phones show such a part as a message of its own.
 */
function validOrNull(joined: Concatenation): Concatenation | null {
  return joined.total > 1 && joined.number >= 1 && joined.number <= joined.total ? joined : null
}
