/**
 * A SIP carrier and the phones in the box, over real sockets with a clock that only the test turns. What was said on
 * the wire is read from the phones' side: `in INVITE`, `out 180`.
 */
import { expect } from 'vitest'
import { createSipCarrier } from '../../src/carriers/sip/sip-carrier.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { Carrier, Submission } from '../../src/ports/carriers/carrier.ts'
import { PhoneTraffic } from '../../src/simulator/phones/traffic.ts'
import type { CallScript } from '../../src/simulator/sip/called-leg.ts'
import { type CalledPhoneOptions, startCalledPhone } from '../../src/simulator/sip/called-phone.ts'
import type { SipMessage } from '../../src/wire/sip/message.ts'
import type { SipPath, SipTransport } from '../../src/wire/sip/transport.ts'
import { eventually } from './eventually.ts'
import { InboxWitness } from './inbox-witness.ts'
import { LOOPBACK_CERTIFICATE, LOOPBACK_CERTIFICATE_KEY } from './loopback-certificate.ts'
import { SeededRandom } from './seeded-random.ts'
import { SilentLog } from './silent-log.ts'
import { VirtualClock } from './virtual-clock.ts'

export const RING_MS = 3_000
export const SETUP_MS = 8_000
export const PHONE = '447700900100' as Phone
export const CALLER = '447700901234'

export const random = new SeededRandom(11)

export const open: (() => Promise<void>)[] = []
/** Must be called after each test. */
export async function closeAll(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close()
}

export type Watched = (direction: 'in' | 'out', message: SipMessage, path: SipPath) => void

/** The messages on the wire, as the phones see them. */
export class Wire {
  readonly messages: { readonly words: string; readonly message: SipMessage; readonly path: SipPath }[] = []

  readonly watch: Watched = (direction, message, path) => {
    const words = message.kind === 'request' ? message.method : String(message.status)
    this.messages.push({ words: `${direction} ${words}`, message, path })
  }

  get words(): readonly string[] {
    return this.messages.map((each) => each.words)
  }

  count(words: string): number {
    return this.words.filter((each) => each === words).length
  }

  async next(words: string, times = 1): Promise<{ readonly message: SipMessage; readonly path: SipPath }> {
    await eventually(`${words}, ${times} times, after ${this.words}`, () => this.count(words) >= times)
    const found = this.messages.filter((each) => each.words === words)[times - 1]
    if (found === undefined) throw new Error(`${words} did not arrive`)
    return found
  }
}

export interface Stage {
  readonly clock: VirtualClock
  readonly carrier: Carrier
  readonly traffic: PhoneTraffic
  readonly wire: Wire
  readonly inbox: InboxWitness
}

export const IDENTITY = { cert: LOOPBACK_CERTIFICATE, key: LOOPBACK_CERTIFICATE_KEY }
export const identityOf = (transport: SipTransport) => (transport === 'tls' ? { identity: IDENTITY } : {})
export const trustOf = (transport: SipTransport) => (transport === 'tls' ? { ca: LOOPBACK_CERTIFICATE } : {})

export async function stage(
  transport: SipTransport,
  script: CallScript | null,
  phone: Partial<CalledPhoneOptions> = {},
  settings: object = {},
): Promise<Stage> {
  const clock = new VirtualClock()
  const traffic = new PhoneTraffic()
  const wire = new Wire()
  const scripted = script === null ? {} : { script: () => script }
  const around = { clock, random, traffic, watch: wire.watch, ...identityOf(transport) }
  const phones = await startCalledPhone({ ...around, ...scripted, ...phone })
  open.push(() => phones.stop())
  const inbox = new InboxWitness()
  const carrier = begin(clock, { transport, port: phones.port, ...trustOf(transport), ...settings }, inbox)
  return { clock, traffic, wire, carrier, inbox }
}

export function begin(clock: VirtualClock, settings: object, inbox = new InboxWitness()): Carrier {
  const setup = { id: 'trunk', settings: { host: '127.0.0.1', pingMs: 0, ...settings } }
  const carrier = createSipCarrier(setup, { clock, random, log: new SilentLog() })
  carrier.start(inbox)
  open.push(async () => {
    const stopped = carrier.stop()
    clock.advance(60_000)
    await stopped
  })
  return carrier
}

export function submission(change: Partial<Submission> = {}): Submission {
  return {
    messageId: 640 as MessageId,
    step: 0,
    tenant: 1,
    attempt: 1,
    phone: PHONE,
    sender: '',
    content: { kind: 'call', from: CALLER, code: '1234' },
    parts: [0],
    lifetimeSeconds: 60,
    ...change,
  }
}

export const taken = { kind: 'taken', ref: expect.stringMatching(/^640-0-1-/) }

export const idle = (carrier: Carrier) => eventually('the end of the call', () => carrier.state().inFlight === 0)
