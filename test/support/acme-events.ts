/** What happens to a message of the carrier `acme`: it is taken under the id `a7`, then delivered. */
import type { JourneyEvent } from '../../src/domain/message/journey-event.ts'
import { BEGINNING } from './build-message.ts'

export const TAKEN_BY_ACME: JourneyEvent = {
  ...{ kind: 'answered', at: BEGINNING + 1_000, step: 0, carrierId: 'acme', anotherLeft: false, jitter: 0 },
  verdicts: [{ kind: 'taken', ref: 'a7', part: 0 }],
}
export const DELIVERED_BY_ACME: JourneyEvent = {
  ...{ kind: 'receipt', at: BEGINNING + 2_000, step: 0, part: 0, carrierId: 'acme' },
  ...{ outcome: 'delivered', detail: 'stat:DELIVRD' },
}
