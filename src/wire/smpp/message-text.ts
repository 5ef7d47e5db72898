/** Decodes the text of a message, or of one part of it, without its concatenation header. Never throws. */
import { decodeGsm } from '../../domain/gsm-alphabet.ts'
import { readUserData } from './concatenation.ts'
import type { DataMessage, ShortMessage } from './pdu.ts'
import { latin1 } from './tlv.ts'

/** Values of data_coding (SMPP 3.4, 5.2.19). */
export const DATA_CODING = { gsm: 0, latin1: 3, ucs2: 8 } as const

type Alphabet = 'gsm' | 'latin1' | 'ucs2' | 'binary'

/** Below 0x10 the values are those of SMPP; obsolete alphabets are read as Latin-1. */
const LOW_CODINGS: Readonly<Record<number, Alphabet>> = { 0: 'gsm', 2: 'binary', 4: 'binary', 8: 'ucs2' }
/** From 0x10 on the bits are those of 3GPP TS 23.038, section 4. */
const ALPHABET_BITS = 0x0c
const EIGHT_BIT = 0x04
const UCS_2 = 0x08

/** Binary messages are returned as hexadecimal digits. */
export function readMessageText(message: ShortMessage | DataMessage): string {
  const { body } = readUserData(message)
  switch (alphabetOf(message.dataCoding)) {
    case 'gsm':
      return decodeGsm(body)
    case 'latin1':
      return latin1(body)
    case 'ucs2':
      return decodeUcs2(body)
    case 'binary':
      return Buffer.from(body).toString('hex')
  }
}

/** Big-endian; half a character at the end is dropped. */
export function decodeUcs2(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le')
}

function alphabetOf(coding: number): Alphabet {
  if (coding < 0x10) return LOW_CODINGS[coding] ?? 'latin1'
  const bits = coding & ALPHABET_BITS
  if (bits === EIGHT_BIT) return 'binary'
  return bits === UCS_2 && coding < 0xf0 ? 'ucs2' : 'gsm'
}
