/** A deliver_sm with the default of every field that no simulated message uses. */
import type { ShortMessage } from '../wire/smpp/pdu.ts'

type Used = 'source' | 'destination' | 'esmClass' | 'dataCoding' | 'payload' | 'tlvs'

export function deliverSm(fields: Pick<ShortMessage, Used>): ShortMessage {
  return {
    command: 'deliver_sm',
    serviceType: '',
    protocolId: 0,
    priority: 0,
    scheduleTime: '',
    validityPeriod: '',
    registeredDelivery: 0,
    replaceIfPresent: 0,
    defaultMessageId: 0,
    ...fields,
  }
}
