/** The text of `content` and `hex-content`, whose bytes `coding` says how to read. */
import { decodeGsm } from '../../domain/text/gsm-alphabet.ts'

/** Returns null for bytes that are no text of the coding, and for codings of data. */
export function readContent(bytes: Buffer, coding: number, isHex: boolean): string | null {
  switch (coding) {
    case 0:
      // Programs write `content` as UTF-8; `hex-content` is what a carrier gets.
      return isHex ? decodeGsm(bytes) : decode(bytes, 'utf-8')
    case 1:
    case 3:
      return bytes.toString('latin1')
    case 8:
      return readUnicode(bytes)
    default: {
      const encoding = ENCODINGS[coding]
      return encoding === undefined ? null : decode(bytes, encoding)
    }
  }
}

/** Of the codings that are texts (SMPP 3.4, 5.2.19); 2 and 4 are octets, 9 pictograms. */
const ENCODINGS: Readonly<Record<number, string>> = {
  6: 'iso-8859-5',
  7: 'iso-8859-8',
  10: 'iso-2022-jp',
  14: 'euc-kr',
}

/**
 * Most programs send UTF-16 with coding 8, the higher byte first, and RapidPro sends UTF-8. It is UTF-8 if there is an
 * odd number of bytes; or if they are well-formed UTF-8 without control characters, and have a space or a letter beyond
 * ASCII. UTF-16 has control characters in most scripts, because its spaces and Latin letters begin with a zero byte.
 */
function readUnicode(bytes: Buffer): string | null {
  const asUtf8 = decode(bytes, 'utf-8')
  if (bytes.length % 2 === 1) return asUtf8
  const isUtf8 = asUtf8 !== null && !UNWRITTEN.test(asUtf8) && BEYOND_ASCII_LETTERS.test(asUtf8)
  return isUtf8 ? asUtf8 : decode(bytes, 'utf-16be')
}

/** Control characters but line breaks. */
const UNWRITTEN = /[^\P{Cc}\n\r]/u
const BEYOND_ASCII_LETTERS = /[ \u0080-\u{10ffff}]/u

function decode(bytes: Buffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return null
  }
}

/** Returns null for another number of digits than bytes have. */
export function readHex(text: string): Buffer | null {
  return /^([0-9a-f]{2})*$/i.test(text) ? Buffer.from(text, 'hex') : null
}
