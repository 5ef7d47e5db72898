/** Both ends of an SMPP session for tests of it: an owner that answers, and a socket in memory. */
import { Duplex } from 'node:stream'
import { STATUS } from '../../src/wire/smpp/command-status.ts'
import type { PeerRequest } from '../../src/wire/smpp/outcome.ts'
import type { Pdu, ShortMessage } from '../../src/wire/smpp/pdu.ts'
import { type Decoded, PduDecoder } from '../../src/wire/smpp/pdu-decoder.ts'
import { PduWriter } from '../../src/wire/smpp/pdu-writer.ts'
import type { SessionOwner, SmppSession } from '../../src/wire/smpp/session.ts'

export const submit: ShortMessage = {
  command: 'submit_sm',
  serviceType: '',
  source: { ton: 5, npi: 0, digits: 'Posthorn' },
  destination: { ton: 1, npi: 1, digits: '37120000000' },
  esmClass: 0,
  protocolId: 0,
  priority: 0,
  scheduleTime: '',
  validityPeriod: '',
  registeredDelivery: 1,
  replaceIfPresent: 0,
  dataCoding: 0,
  defaultMessageId: 0,
  payload: Buffer.from('hello'),
  tlvs: [],
}

/** Takes every message under the id `id-<sequence>`, or keeps the requests for the test to answer. */
export class Owner implements SessionOwner {
  readonly requests: { readonly request: PeerRequest; readonly sequence: number }[] = []
  readonly reasons: string[] = []
  readonly #answers: boolean

  constructor(answersAtOnce = true) {
    this.#answers = answersAtOnce
  }

  requested(request: PeerRequest, sequence: number, session: SmppSession): void {
    this.requests.push({ request, sequence })
    if (this.#answers) session.answer(sequence, taken(sequence))
  }

  closed(reason: string): void {
    this.reasons.push(reason)
  }
}

export function taken(sequence: number) {
  return { command: 'submit_sm_resp', status: STATUS.ok, messageId: `id-${sequence}`, tlvs: [] } as const
}

/** A socket in memory: keeps what the session writes, and lets the test push what it reads. */
export class Line extends Duplex {
  readonly writes: Buffer[] = []

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.writes.push(chunk)
    done()
  }

  said(): Pdu[] {
    return decode(Buffer.concat(this.writes))
  }
}

function decode(bytes: Buffer): Pdu[] {
  const pdus: Pdu[] = []
  new PduDecoder().read(bytes, (decoded: Decoded) => {
    if (decoded.kind === 'pdu') pdus.push(decoded.pdu)
  })
  return pdus
}

export function encode(pdu: Pdu, sequence: number): Buffer {
  const writer = new PduWriter()
  writer.write(pdu, sequence)
  return writer.take()
}
