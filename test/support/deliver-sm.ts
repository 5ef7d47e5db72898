/** A deliver_sm with an inbound text, as an SMSC sends it. */
import { encodeGsm } from '../../src/domain/text/gsm-alphabet.ts'
import { type Concatenation, writeSar } from '../../src/wire/smpp/concatenation.ts'
import type { ShortMessage } from '../../src/wire/smpp/pdu.ts'

export function deliverSm(payload: Uint8Array, change: Partial<ShortMessage> = {}): ShortMessage {
  return {
    ...{ command: 'deliver_sm', serviceType: '', source: { ton: 1, npi: 1, digits: '37120000000' } },
    ...{ destination: { ton: 3, npi: 0, digits: '1234' }, esmClass: 0, protocolId: 0, priority: 0, scheduleTime: '' },
    ...{ validityPeriod: '', registeredDelivery: 0, replaceIfPresent: 0, dataCoding: 0, defaultMessageId: 0 },
    ...{ payload, tlvs: [] },
    ...change,
  }
}

/** A text in GSM characters, whole or a part. */
export function deliverText(text: string, joined: Concatenation | null = null, from = '37120000000'): ShortMessage {
  const source = { ton: 1, npi: 1, digits: from }
  return deliverSm(encodeGsm(text), { source, tlvs: joined === null ? [] : writeSar(joined) })
}
