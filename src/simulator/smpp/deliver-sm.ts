/** A deliver_sm with the default of every field that no simulated message uses. */
import type { ShortMessage } from '../../wire/smpp/pdu.ts'

type Used = 'source' | 'destination' | 'esmClass' | 'dataCoding' | 'payload' | 'tlvs'

export function deliverSm(fields: Pick<ShortMessage, Used>): ShortMessage {
  const { source, destination, esmClass, dataCoding, payload, tlvs } = fields
  return {
    command: 'deliver_sm',
    serviceType: '',
    source,
    destination,
    esmClass,
    protocolId: 0,
    priority: 0,
    scheduleTime: '',
    validityPeriod: '',
    registeredDelivery: 0,
    replaceIfPresent: 0,
    dataCoding,
    defaultMessageId: 0,
    payload,
    tlvs,
  }
}
