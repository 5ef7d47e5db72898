/** Decodes the text of a message, or of one part of it, without its concatenation header. Never throws. */
import { decodeGsm } from '../../domain/text/gsm-alphabet.ts'
import { basicTableOf, extensionTableOf } from '../../domain/text/national-tables.ts'
import { readUserData } from './concatenation.ts'
import type { DataMessage, MultiMessage, ShortMessage } from './pdu.ts'
import { latin1 } from './tlv.ts'

/** Values of data_coding (SMPP 3.4, 5.2.19). */
export const DATA_CODING = { default: 0, ascii: 1, latin1: 3, ucs2: 8 } as const

/** What data_coding 0 means at a carrier: SMPP leaves it to the SMSC. */
export const DEFAULT_ALPHABETS = ['gsm7', 'latin1', 'ascii', 'utf8'] as const
export type DefaultAlphabet = (typeof DEFAULT_ALPHABETS)[number]

type Alphabet = DefaultAlphabet | 'ucs2' | 'binary' | 'iso-8859-5' | 'iso-8859-8-i' | 'euc-kr' | 'jis'

/**
 * Below 0x10 the values are those of SMPP. 9 (pictograms) and 13 (JIS X 0212) have no encoding that SMPP names: their
 * bytes are kept.
 */
const LOW_CODINGS: Readonly<Record<number, Alphabet>> = {
  2: 'binary',
  4: 'binary',
  5: 'jis',
  6: 'iso-8859-5',
  7: 'iso-8859-8-i',
  8: 'ucs2',
  9: 'binary',
  10: 'jis',
  13: 'binary',
  14: 'euc-kr',
}
/** From 0x10 on the bits are those of 3GPP TS 23.038, section 4. */
const ALPHABET_BITS = 0x0c
const EIGHT_BIT = 0x04
const UCS_2 = 0x08
const ESCAPE = 0x1b

/** Binary messages are returned as hexadecimal digits, unless all of it is printable ASCII: then it is a text. */
export function readMessageText(
  message: ShortMessage | DataMessage | MultiMessage,
  defaultAlphabet: DefaultAlphabet = 'gsm7',
): string {
  const { body, shifts } = readUserData(message)
  const { dataCoding } = message
  const alphabet = dataCoding === DATA_CODING.default ? defaultAlphabet : alphabetOf(dataCoding)
  switch (alphabet) {
    case 'gsm7':
      return decodeGsm(body, basicTableOf(shifts), extensionTableOf(shifts))
    case 'latin1':
    case 'ascii':
      return latin1(body)
    case 'utf8':
      return Buffer.from(body).toString('utf8')
    case 'ucs2':
      return decodeUcs2(body)
    case 'binary':
      return isPrintable(body) ? latin1(body) : Buffer.from(body).toString('hex')
    case 'jis':
      // SMPP names the characters only: ISO-2022-JP begins them with an escape, which Shift-JIS does not have.
      return new TextDecoder(body.includes(ESCAPE) ? 'iso-2022-jp' : 'shift_jis').decode(body)
    default:
      return new TextDecoder(alphabet).decode(body)
  }
}

function isPrintable(body: Uint8Array): boolean {
  return body.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d)
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
  return bits === UCS_2 && coding < 0xf0 ? 'ucs2' : 'gsm7'
}
