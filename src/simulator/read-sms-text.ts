/** The text of a submit_sm as a phone would show it, without the header that joins parts. Never throws. */
import { decodeGsm } from '../domain/gsm-alphabet.ts'
import { UDH_INDICATOR, withoutHeader } from '../wire/smpp/concatenation.ts'
import { payloadOf, type ShortMessage } from '../wire/smpp/pdu.ts'
import { latin1 } from '../wire/smpp/tlv.ts'

const LATIN_1 = 3
const UCS_2 = 8

export function readSmsText(message: ShortMessage): string {
  const whole = payloadOf(message)
  const bytes = (message.esmClass & UDH_INDICATOR) === 0 ? whole : withoutHeader(whole)
  if (message.dataCoding === UCS_2) return decodeUcs2(bytes)
  return message.dataCoding === LATIN_1 ? latin1(bytes) : decodeGsm(bytes)
}

/** Big-endian; half a character at the end is left out. */
function decodeUcs2(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le')
}
