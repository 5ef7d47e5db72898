/** An SMPP carrier and an SMSC with a real connection between them, and submissions for it. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import smpp, { type PDU, type Session as SmppSession } from 'smpp'
import { createSmppCarrier } from '../../src/carriers/smpp/smpp-carrier.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Verdict } from '../../src/domain/message/journey-event.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { CarrierReceipt, Submission } from '../../src/ports/carriers/carrier.ts'
import type { Clock } from '../../src/ports/system/clock.ts'
import { PhoneTraffic } from '../../src/simulator/phones/traffic.ts'
import { startSmsc } from '../../src/simulator/smpp/smsc.ts'
import type { SmscOptions } from '../../src/simulator/smpp/smsc-double.ts'
import { eventually, settled } from './eventually.ts'
import { InboxWitness } from './inbox-witness.ts'
import { RawSmsc } from './raw-smsc.ts'
import { SeededRandom } from './seeded-random.ts'
import { SilentLog } from './silent-log.ts'
import { VirtualClock } from './virtual-clock.ts'

export const SMPP_ACCOUNT = { systemId: 'posthorn', password: 'secret' }

class CountingInbox extends InboxWitness {
  calls = 0

  override receive(receipts: readonly CarrierReceipt[]): Promise<void> {
    this.calls += 1
    return super.receive(receipts)
  }
}

/** Opens resources for one test and closes them after it, the last one first. */
export class SmppBench {
  readonly random = new SeededRandom()
  /** The answer to carriers that check whether they may send. */
  mayAct = true
  readonly #closers: (() => Promise<void>)[] = []

  async close(): Promise<void> {
    this.mayAct = true
    for (const close of this.#closers.splice(0).reverse()) await close()
  }

  createCarrier(port: number, clock: Clock, settings: object = {}, id = 'sms-1') {
    const log = new SilentLog()
    const setup = { id, settings: { host: '127.0.0.1', port, ...SMPP_ACCOUNT, ...settings } }
    return { carrier: createSmppCarrier(setup, { clock, random: this.random, log, mayAct: () => this.mayAct }), log }
  }

  startCarrier(port: number, clock: Clock, settings: object = {}) {
    const inbox = new CountingInbox()
    const { carrier, log } = this.createCarrier(port, clock, settings)
    carrier.start(inbox)
    this.#closers.push(() =>
      settled('the carrier to stop', carrier.stop(), clock instanceof VirtualClock ? clock : undefined),
    )
    return { carrier, inbox, log }
  }

  async startSmsc(clock: Clock, options: Partial<SmscOptions> = {}) {
    const traffic = new PhoneTraffic()
    const smsc = await startSmsc({ clock, random: this.random, traffic, ...SMPP_ACCOUNT, ...options })
    this.#closers.push(() => smsc.stop())
    return { smsc, traffic }
  }

  async startBoth(settings: object = {}, options: Partial<SmscOptions> = {}) {
    const clock = new VirtualClock()
    const { smsc, traffic } = await this.startSmsc(clock, options)
    const { carrier, inbox, log } = this.startCarrier(smsc.port, clock, settings)
    await eventually('the bind', () => carrier.state().up)
    return { clock, traffic, smsc, carrier, inbox, log }
  }

  /** An SMSC that only answers binds by itself, and a carrier that is bound to it. */
  async startRaw(settings: object = {}) {
    const smsc = new RawSmsc()
    const port = await smsc.listen()
    this.#closers.push(() => smsc.close())
    const clock = new VirtualClock()
    const started = this.startCarrier(port, clock, settings)
    await eventually('the bind', () => started.carrier.state().up)
    return { ...started, smsc, clock }
  }

  /** An SMSC of the npm package `smpp`, which takes every message through `take`. */
  async startNpmSmpp(take: (session: SmppSession, pdu: PDU) => void, settings: object = {}) {
    const sessions: SmppSession[] = []
    const server = smpp.createServer((session) => {
      sessions.push(session)
      session.on('error', () => {})
      for (const command of ['bind_transceiver', 'bind_transmitter', 'bind_receiver', 'enquire_link', 'unbind']) {
        session.on(command, (pdu: PDU) => session.send(pdu.response()))
      }
      session.on('submit_sm', (pdu: PDU) => take(session, pdu))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    this.#closers.push(async () => void server.close())
    const clock = new VirtualClock()
    const started = this.startCarrier((server.address() as AddressInfo).port, clock, settings)
    await eventually('the bind', () => started.carrier.state().up)
    return { ...started, clock, sessions }
  }
}

let lastId = 64 * 1_000

/** Each has an id of its own. */
export function smsSubmission(text: string, phone = '37120000000', changes: Partial<Submission> = {}): Submission {
  lastId += 64
  return {
    messageId: lastId as MessageId,
    step: 0,
    tenant: 1,
    attempt: 1,
    phone: phone as Phone,
    sender: 'Posthorn',
    content: { kind: 'text', text },
    parts: [0],
    lifetimeSeconds: 3_600,
    ...changes,
  }
}

export function refOf(verdict: Verdict | undefined): string {
  if (verdict?.kind !== 'taken') throw new Error(`not taken: ${JSON.stringify(verdict)}`)
  return verdict.ref
}
