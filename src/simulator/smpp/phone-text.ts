/** A text that a phone sends to the gateway, and how an SMSC delivers it: a deliver_sm of one part. */
import { encodeGsm, isGsmText } from '../../domain/text/gsm-alphabet.ts'
import { DATA_CODING } from '../../wire/smpp/message-text.ts'
import { deliverSm, type ShortMessage } from '../../wire/smpp/pdu.ts'
import { NO_TLVS } from '../../wire/smpp/tlv.ts'

export interface PhoneText {
  /** The phone: E.164 digits. */
  readonly from: string
  /** The gateway's number, short code or name; the agent or service of another channel. */
  readonly to: string
  /** Short enough for one part. */
  readonly text: string
}

/** A name is an address without a numbering plan. */
function destinationOf(to: string): ShortMessage['destination'] {
  if (!/^\d+$/.test(to)) return { ton: 5, npi: 0, digits: to }
  return { ton: to.length > 6 ? 1 : 3, npi: 1, digits: to }
}

export function toDeliverSm({ from, to, text }: PhoneText): ShortMessage {
  const isGsm = isGsmText(text)
  return deliverSm({
    source: { ton: 1, npi: 1, digits: from },
    destination: destinationOf(to),
    esmClass: 0,
    dataCoding: isGsm ? DATA_CODING.default : DATA_CODING.ucs2,
    payload: isGsm ? encodeGsm(text) : Buffer.from(text, 'utf16le').swap16(),
    tlvs: NO_TLVS,
  })
}
